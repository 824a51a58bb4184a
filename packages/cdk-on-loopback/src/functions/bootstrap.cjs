'use strict';
/**
 * Runs one handler against the Lambda Runtime API, in place of AWS's Node.js runtime. Started as
 * `node bootstrap.cjs OFFSET_MS [API_ORIGIN]` in the bundle's folder, with an IPC channel that closes when the host exits.
 * @see AWS Lambda Developer Guide, "Using the Lambda runtime API for custom runtimes"
 */
// The memory limit given at process start stays in effect. Clearing the flag lets V8 use the code cache of Node's own
// modules, which saves a quarter of a cold start.
require('node:v8').setFlagsFromString('--max-old-space-size=0');
const http = require('node:http');
const path = require('node:path');
const util = require('node:util');

const env = process.env;
const writeOut = process.stdout.write.bind(process.stdout);
const writeError = process.stderr.write.bind(process.stderr);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
let clockOffsetMs = Number(process.argv[2]);
let requestId;

endWithTheHost();
moveDate();
directApis();
prefixConsole();
process.on('uncaughtException', (error) => failWith(error, 'Uncaught Exception', 129));
process.on('unhandledRejection', (reason) => {
  const message = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  failWith(runtimeError('UnhandledPromiseRejection', message), 'Unhandled Promise Rejection', 128);
});
void main();

/** Sends the error, then exits, as AWS's runtime does. */
function failWith(error, what, exitCode) {
  writeError(`${describe(error, what)}\n`);
  const failed =
    requestId === undefined ? report('init/error', error) : answer('error', errorDocument(error));
  failed.finally(() => process.exit(exitCode));
}

async function main() {
  let handler;
  try {
    handler = loadHandler(env.LAMBDA_TASK_ROOT, env._HANDLER);
  } catch (error) {
    await report('init/error', error);
    process.exit(1);
  }
  for (;;) {
    const { headers, body } = await call('GET', 'invocation/next');
    requestId = headers['lambda-runtime-aws-request-id'];
    clockOffsetMs = Number(headers['loopback-clock-offset-ms']);
    delete env._X_AMZN_TRACE_ID;
    if (headers['lambda-runtime-trace-id']) env._X_AMZN_TRACE_ID = headers['lambda-runtime-trace-id'];
    try {
      const result = await settled(handler, JSON.parse(body), contextOf(headers));
      await answer('response', JSON.stringify(result) ?? 'null');
    } catch (error) {
      writeError(`${describe(error, 'Invoke Error')}\n`);
      await answer('error', errorDocument(error));
    }
  }
}

/** Calls the handler. When the event loop empties first, an async handler has failed, and any other has returned null. */
async function settled(handler, event, context) {
  let whenIdle;
  const idle = new Promise((resolve, reject) => {
    const error = runtimeError('NodeJsExit', 'The handler returned a promise that can never be settled');
    const isAsync = handler.constructor.name === 'AsyncFunction';
    whenIdle = () => (isAsync ? reject(error) : resolve(null));
  });
  process.once('beforeExit', whenIdle);
  try {
    return await Promise.race([handler(event, context), idle]);
  } finally {
    process.off('beforeExit', whenIdle);
  }
}

function loadHandler(root, name) {
  const [, file, exportName] = /^(.*?)\.([^./]+)$/.exec(name) ?? [];
  if (!file) throw runtimeError('MalformedHandlerName', `Bad handler ${name}`);
  let bundle;
  try {
    bundle = require(path.resolve(root, file));
  } catch (error) {
    if (error instanceof SyntaxError) throw runtimeError('UserCodeSyntaxError', error.message, error);
    if (error?.code === 'MODULE_NOT_FOUND') throw runtimeError('ImportModuleError', error.message, error);
    throw error;
  }
  const handler = bundle[exportName];
  if (typeof handler !== 'function')
    throw runtimeError('HandlerNotFound', `${name} is undefined or not exported`);
  return handler;
}

function contextOf(headers) {
  const deadlineMs = Number(headers['lambda-runtime-deadline-ms']);
  return {
    awsRequestId: requestId,
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  };
}

/** Marks the end of the invocation's lines on both streams, so that the host reads them all before it returns. */
async function answer(kind, body) {
  writeOut(`\0end ${requestId}\n`);
  writeError(`\0end ${requestId}\n`);
  await call('POST', `invocation/${requestId}/${kind}`, body);
}

function report(where, error) {
  return call('POST', where, errorDocument(error));
}

function errorDocument(error) {
  const isError = error instanceof Error;
  return JSON.stringify({
    errorType: isError ? error.name : typeof error,
    errorMessage: isError ? error.message : String(error),
    trace: isError && error.stack ? error.stack.split('\n') : [],
  });
}

function describe(error, what) {
  return `${new Date().toISOString()}\t${requestId ?? 'undefined'}\tERROR\t${what}\t${errorDocument(error)}`;
}

function runtimeError(name, message, cause) {
  const error = new Error(message, { cause });
  error.name = `Runtime.${name}`;
  if (cause?.stack) error.stack = cause.stack;
  return error;
}

function call(method, where, body) {
  return new Promise((resolve) => {
    const url = `http://${env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/${where}`;
    const request = http.request(url, { method, agent }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', endNow);
      response.on('end', () =>
        resolve({ headers: response.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
    request.on('error', endNow);
    request.end(body);
  });
}

/**
 * Exits when the host exits, even during an invocation, because that closes the channel. SIGINT is ignored: Ctrl-C
 * reaches every process of the run, and the host decides when this one exits.
 */
function endWithTheHost() {
  process.on('SIGINT', () => {});
  process.once('disconnect', endNow);
  // Otherwise the channel would keep the event loop from emptying: see `settled`.
  process.channel.unref();
  delete process.send;
}

function endNow() {
  process.exit(1);
}

/** Makes `Date` follow the run's clock. */
function moveDate() {
  const RealDate = Date;
  const realNow = RealDate.now;
  const now = () => realNow() + clockOffsetMs;
  const moved = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  });
  RealDate.now = now;
  RealDate.prototype.constructor = moved;
  globalThis.Date = moved;
}

/** Sends requests for AWS's `execute-api` hosts to the run's API Gateway, which finds the API by the `Host` header. */
function directApis() {
  const [, , , origin] = process.argv;
  if (origin === undefined) return;
  const { hostname, port } = new (require('node:url').URL)(origin);
  const tls = require('node:tls');
  const { connect } = tls;
  tls.connect = (options, ...rest) =>
    /\.execute-api\./.test(options?.host)
      ? connect({ ...options, host: hostname, port: Number(port), servername: 'localhost' }, ...rest)
      : connect(options, ...rest);
}

/** Prefixes `console` lines with time, request id and level, as Lambda's runtime does. */
function prefixConsole() {
  const levels = { trace: 'TRACE', debug: 'DEBUG', log: 'INFO', info: 'INFO', warn: 'WARN', error: 'ERROR' };
  for (const [method, level] of Object.entries(levels)) {
    console[method] = (...args) =>
      void writeOut(
        `${new Date().toISOString()}\t${requestId ?? 'undefined'}\t${level}\t${util.format(...args)}\n`,
      );
  }
}

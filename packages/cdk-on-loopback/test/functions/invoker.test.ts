import { readFileSync } from 'node:fs';

import { type InvocationResult } from '../../src/interfaces';
import { FunctionHost } from '../support/function-host';
import { THROTTLED } from '../support/invocation-results';
import { isRunning } from '../support/processes';
import { NOW_MS } from '../../src/testing/stacks';

let host: FunctionHost;
beforeEach(() => (host = new FunctionHost()));
afterEach(() => host.close());

const errorOf = (result: InvocationResult) => {
  if (result.kind !== 'function-error') throw new Error(`expected an error, got ${result.kind}`);
  return JSON.parse(result.payload.toString()) as { errorType?: string; errorMessage?: string };
};

/** Resolves with the line that contains `text`, once printed. */
const printed = async (text: string): Promise<string> => {
  for (;;) {
    const line = host.reporter.lines.find((each) => each.includes(text));
    if (line !== undefined) return line;
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe('an execution environment', () => {
  test('is not used anymore after an update of its function', async () => {
    const fn = host.add('exports.handler = async () => [process.pid, process.env.COLOR];');
    const [pid] = await host.answerOf<[number]>(fn);

    const updated = { ...fn, environment: { COLOR: 'red' } };
    host.account.functions.set(fn.arn, updated);

    const [newPid, color] = await host.answerOf<[number, string]>(updated);
    expect(newPid).not.toBe(pid);
    expect(color).toBe('red');
  });

  test('passes the event and a context to the handler, and returns its result', async () => {
    const fn = host.add(`exports.handler = async (event, context) => {
      const trace = process.env._X_AMZN_TRACE_ID;
      return { event, ...context, trace, remainingMs: context.getRemainingTimeInMillis() };
    };`);
    const traceHeader = 'Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=1';

    const result = await host.invoker.invoke(fn.arn, Buffer.from('{"a":1}'), { traceHeader });

    const payload = 'payload' in result ? result.payload.toString() : '';
    const answer = JSON.parse(payload) as Record<string, unknown>;
    expect(answer).toMatchObject({
      event: { a: 1 },
      trace: traceHeader,
      functionName: fn.name,
      functionVersion: '$LATEST',
      invokedFunctionArn: fn.arn,
      memoryLimitInMB: '128',
      logGroupName: fn.logGroupName,
    });
    expect(answer.awsRequestId).toMatch(/^[\da-f-]{36}$/);
    expect(answer.remainingMs).toBeLessThanOrEqual(30_000 + Date.now() - NOW_MS);
  });

  test('has the memory that the template gives it, and little more', async () => {
    const fn = host.add(`exports.handler = async () =>
      require('node:v8').getHeapStatistics().heap_size_limit / 1024 / 1024;`);

    const limitMb = await host.answerOf<number>(fn);

    expect(limitMb).toBeGreaterThanOrEqual(128);
    expect(limitMb).toBeLessThan(256);
  });

  test('returns null for a handler that returns nothing', async () => {
    const fn = host.add('exports.handler = async () => {};');

    expect(await host.answerOf(fn)).toBeNull();
  });

  test("has the template's and Lambda's variables, and none of this machine's", async () => {
    const fn = host.add('exports.handler = async () => process.env;', {
      environment: { STAGE: 'prod', AWS_REGION: 'mine' },
    });

    const env = await host.answerOf<Record<string, string>>(fn);

    expect(Object.keys(env).sort()).toEqual([
      'AWS_ACCESS_KEY_ID',
      'AWS_CONFIG_FILE',
      'AWS_DEFAULT_REGION',
      'AWS_ENDPOINT_URL',
      'AWS_EXECUTION_ENV',
      'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
      'AWS_LAMBDA_FUNCTION_NAME',
      'AWS_LAMBDA_FUNCTION_VERSION',
      'AWS_LAMBDA_INITIALIZATION_TYPE',
      'AWS_LAMBDA_LOG_GROUP_NAME',
      'AWS_LAMBDA_LOG_STREAM_NAME',
      'AWS_LAMBDA_RUNTIME_API',
      'AWS_REGION',
      'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
      'AWS_SHARED_CREDENTIALS_FILE',
      'LAMBDA_TASK_ROOT',
      'LANG',
      'NODE_EXTRA_CA_CERTS',
      'PATH',
      'STAGE',
      'TZ',
      '_HANDLER',
      '_X_AMZN_TRACE_ID',
    ]);
    expect(env._X_AMZN_TRACE_ID).toMatch(/^Root=1-[\da-f]{8}-[\da-f]{24};Parent=[\da-f]{16};Sampled=0$/);
    expect(env).toMatchObject({ STAGE: 'prod', AWS_REGION: 'eu-west-1', LAMBDA_TASK_ROOT: fn.codeDir });
    expect(readFileSync(env.AWS_CONFIG_FILE!, 'utf8')).toBe('');
    expect(readFileSync(env.AWS_SHARED_CREDENTIALS_FILE!, 'utf8')).toBe('');
  });

  // Finding a listening port needs no rights.
  test('gets its events although another program asks for them at its port', async () => {
    const fn = host.add('exports.handler = async () => process.env.AWS_LAMBDA_RUNTIME_API;');
    const [place = ''] = (await host.answerOf<string>(fn)).split('/');
    const taken = fetch(`http://${place}/2018-06-01/runtime/invocation/next`);

    const [{ status }, answer] = await Promise.all([taken, host.answerOf<string>(fn, { canary: true })]);

    expect(status).toBe(404);
    expect(answer).toContain(place);
  });

  test('is reused, one event at a time; simultaneous events get one each', async () => {
    const fn = host.add('let n = 0; exports.handler = async () => ({ n: ++n, pid: process.pid });');

    const [first, other] = await Promise.all([
      host.answerOf<{ n: number; pid: number }>(fn),
      host.answerOf<{ pid: number }>(fn),
    ]);
    const second = await host.answerOf<{ n: number; pid: number }>(fn);

    expect(first.pid).not.toBe(other.pid);
    expect(second.n).toBe(2);
    expect([first.pid, other.pid]).toContain(second.pid);
  });

  test('ends after ten idle minutes of the clock', async () => {
    const fn = host.add('exports.handler = async () => process.pid;');
    const pid = await host.answerOf<number>(fn);

    await host.clock.advance(599);
    expect(isRunning(pid)).toBe(true);
    await host.clock.advance(1);

    expect(isRunning(pid)).toBe(false);
  });

  test('follows the run’s clock, which may advance between events', async () => {
    const fn = host.add(
      'const born = Date.now(); exports.handler = async () => [born, Date.now(), new Date().getTime(), new Date(5).getTime(), new Date() instanceof Date];',
    );

    const before = await host.answerOf<number[]>(fn);
    await host.clock.advance(500);
    const after = await host.answerOf<number[]>(fn);

    // The process starts in real time; this test's clock is ahead of it by the advance.
    expect(after[0]).toBe(before[0]);
    expect(after[1]! - before[1]!).toBeGreaterThanOrEqual(500_000);
    expect(after[2]! - after[1]!).toBeLessThan(1000);
    expect(after.slice(3)).toEqual([5, true]);
  });

  test('is replaced before its keys can expire', async () => {
    const fn = host.add('exports.handler = async () => process.pid;');
    const first = await host.answerOf<number>(fn);

    let last = first;
    for (let minutes = 0; minutes <= 6 * 60 + 18; minutes += 9) {
      await host.clock.advance(9 * 60);
      last = await host.answerOf<number>(fn);
    }

    expect(last).not.toBe(first);
  });
});

/** A handler that prints its process id and never returns. */
const HANGING = `exports.handler = () => {
  console.log("pid", process.pid);
  return new Promise(() => setInterval(() => {}, 1e3));
};`;
const pidOfHanging = async (): Promise<number> => Number((await printed('pid')).split(' ').at(-1));

describe('a function that fails', () => {
  test('throws, or waits for nothing: the caller gets its error, and the process continues', async () => {
    const fn = host.add(`exports.handler = async (event) => {
      if (event.isUnsettled) await new Promise(() => {});
      if (event.fail) { const e = new TypeError('no good'); throw e; } return process.pid; };`);
    const pid = await host.answerOf<number>(fn);
    // https://github.com/aws/aws-lambda-nodejs-runtime-interface-client (Runtime.js, BeforeExitListener.js)
    const unsettled = errorOf(await host.invoke(fn, { isUnsettled: true }));

    const error = errorOf(await host.invoke(fn, { fail: true }));

    expect(unsettled.errorType).toBe('Runtime.NodeJsExit');
    expect(error).toMatchObject({ errorType: 'TypeError', errorMessage: 'no good' });
    expect(await host.answerOf<number>(fn)).toBe(pid);
  });

  test('times out: its process is killed', async () => {
    const fn = host.add(HANGING);
    const pending = host.invoke(fn);
    const pid = await pidOfHanging();

    host.endTime();
    const result = await pending;

    expect(errorOf(result)).toEqual({
      errorType: 'Sandbox.Timedout',
      errorMessage: expect.stringMatching(
        /^RequestId: [\da-f-]{36} Error: Task timed out after 30\.00 seconds$/,
      ) as unknown,
    });
    expect(isRunning(pid)).toBe(false);
  });

  test.each([
    ['exits', 'process.exit(1)', 'Runtime.ExitError', /Error: Runtime exited with error: exit status 1$/],
    ['exits silently', 'process.exit(0)', 'Runtime.ExitError', /exited without providing a reason$/],
    ['is killed', 'process.kill(process.pid, "SIGKILL")', 'Runtime.ExitError', /signal: killed$/],
    [
      'leaves a rejection unhandled',
      'void Promise.reject(new Error("late"))',
      'Runtime.UnhandledPromiseRejection',
      /^Error: late$/,
    ],
  ])('%s', async (_, statement, errorType, message) => {
    const waiting = 'await new Promise(() => setInterval(() => {}, 1e3))';
    const fn = host.add(`exports.handler = async () => { ${statement}; ${waiting}; };`);

    const error = errorOf(await host.invoke(fn));

    expect(error.errorType).toBe(errorType);
    expect(error.errorMessage).toMatch(message);
  });

  // https://github.com/aws/aws-lambda-nodejs-runtime-interface-client (index.mjs, Runtime.js, Errors.js)
  test('throws an uncaught exception: the caller gets its type, and the next event another process', async () => {
    const fn = host.add(`exports.handler = async ({ fail }) => {
      if (!fail) return process.pid;
      setImmediate(() => { throw new RangeError('late'); });
      await new Promise(() => setInterval(() => {}, 1e3));
    };`);
    const pid = await host.answerOf<number>(fn);

    const error = errorOf(await host.invoke(fn, { fail: true }));

    expect(error).toEqual({
      errorType: 'RangeError',
      errorMessage: 'late',
      trace: expect.arrayContaining(['RangeError: late']) as unknown,
    });
    expect(isRunning(pid)).toBe(false);
    expect(await host.answerOf<number>(fn)).not.toBe(pid);
  });

  test.each([
    ['does not compile', 'exports.handler = (', 'index.handler', 'Runtime.UserCodeSyntaxError'],
    ['requires a missing module', 'require("nowhere")', 'index.handler', 'Runtime.ImportModuleError'],
    ['is missing', '', 'other.handler', 'Runtime.ImportModuleError'],
    ['exports no handler', 'exports.other = 1', 'index.handler', 'Runtime.HandlerNotFound'],
    ['throws while it loads', 'throw new RangeError("bad")', 'index.handler', 'RangeError'],
  ])('whose bundle %s is reported with its file', async (_, code, handler, errorType) => {
    const fn = host.add(code, { handler });

    const error = errorOf(await host.invoke(fn));

    expect(error.errorType).toBe(errorType);
    expect(host.reporter.warnings).toEqual([
      expect.stringContaining(`cannot load ${handler} from ${fn.codeDir}: ${errorType}`),
    ]);
  });

  test('returns more than Lambda accepts', async () => {
    const fn = host.add('exports.handler = async () => "x".repeat(6291556);');

    expect(errorOf(await host.invoke(fn)).errorType).toBe('Function.ResponseSizeTooLarge');
  });

  test('has a role that Lambda may not assume', async () => {
    const fn = host.add('exports.handler = async () => 1;');
    host.account.roles.get(fn.roleArn)!.assumeRolePolicy = { Statement: [] };

    const error = errorOf(await host.invoke(fn));

    expect(error.errorMessage).toContain(
      `not authorized to perform: sts:AssumeRole on resource: ${fn.roleArn}`,
    );
    expect(host.reporter.warnings[0]).toContain(fn.roleArn);
  });
});

test('an event above the reserved concurrency is throttled, until another has ended', async () => {
  const fn = host.add('exports.handler = async () => 1;', { reservedConcurrency: 1 });

  const [first, second] = await Promise.all([host.invoke(fn), host.invoke(fn)]);
  const third = await host.invoke(fn);

  expect([first.kind, third.kind]).toEqual(['ok', 'ok']);
  expect(second).toEqual(THROTTLED);
});

test('a reserved concurrency of zero throttles every event', async () => {
  const fn = host.add('exports.handler = async () => 1;', { reservedConcurrency: 0 });

  expect(await host.invoke(fn)).toEqual(THROTTLED);
});

describe('the log', () => {
  test('has every line of the process between those of Lambda, and its tail is returned', async () => {
    const fn = host.add(
      'exports.handler = async () => { console.log("said"); process.stderr.write("raw\\n"); process.stdout.write("open end"); };',
    );

    const result = await host.invoke(fn);

    const messages = host.logged.map(({ message }) => message);
    expect(messages[0]).toMatch(/^START RequestId: [\da-f-]{36} Version: \$LATEST$/);
    expect(messages.slice(1, -2).sort()).toEqual(
      ['open end', 'raw', expect.stringMatching(/\tINFO\tsaid$/) as unknown].sort(),
    );
    expect(messages.at(-2)).toMatch(/^END RequestId/);
    expect(messages.at(-1)).toMatch(/^REPORT RequestId: .*Memory Size: 128 MB$/);
    expect('logTail' in result && result.logTail).toBe(messages.map((line) => `${line}\n`).join(''));
    expect(host.reporter.lines).toContain(`${fn.name}: raw`);
  });

  test('has the last output of a process, without a newline', async () => {
    const fn = host.add(
      'exports.handler = async () => { process.stdout.write("last words"); process.exit(1); };',
    );

    await host.invoke(fn);

    expect(host.reporter.lines).toEqual([`${fn.name}: last words`]);
  });

  test('returns at most 4 KB of its tail', async () => {
    const fn = host.add('exports.handler = async () => { console.log("x".repeat(9000)); };');

    const result = await host.invoke(fn);

    expect('logTail' in result && result.logTail.length).toBe(4096);
  });

  test('that the role may not write is lost with one warning, and the function succeeds', async () => {
    await host.close();
    host = new FunctionHost({
      writeLogs: () => {
        throw new Error('not authorized to perform: logs:PutLogEvents');
      },
    });
    const fn = host.add('exports.handler = async () => { console.log("x"); return 1; };');

    await host.answerOf(fn);
    await host.answerOf(fn);

    expect(host.reporter.warnings).toEqual([
      `could not write log lines of ${fn.name}: not authorized to perform: logs:PutLogEvents`,
    ]);
  });
});

test('removing a function kills its processes, even during an event', async () => {
  const fn = host.add(HANGING);
  const pending = host.invoke(fn);
  const pid = await pidOfHanging();

  await host.invoker.remove(fn.arn);

  expect(errorOf(await pending).errorMessage).toMatch(/signal: killed/);
  expect(isRunning(pid)).toBe(false);
});

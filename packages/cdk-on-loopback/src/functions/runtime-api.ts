import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isLoopbackHost } from '../loopback-hosts';
import { listenOnLoopback, readBody } from '../loopback-server';
import { MAX_RESPONSE_BYTES, responseTooLarge } from './error-document';

export interface Invocation {
  requestId: string;
  payload: Buffer;
  functionArn: string;
  traceHeader?: string | undefined;
  /** In real time plus `offsetMs`. */
  deadlineMs: number;
  /** How far the run's clock is ahead of real time. */
  offsetMs: number;
}

export type RuntimeAnswer =
  | { kind: 'ready' }
  | { kind: 'response'; requestId: string; payload: Buffer }
  | { kind: 'error'; requestId: string; payload: Buffer }
  | { kind: 'init-error'; payload: Buffer };

const BASE = '/2018-06-01/runtime';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const RESPONSE_TOO_LARGE = `Exceeded maximum allowed payload size (${MAX_RESPONSE_BYTES} bytes).`;
const RESULT = /^\/invocation\/([\w-]+)\/(response|error)$/;

/**
 * The Lambda Runtime API for one process, on its own loopback port. Every program of the machine can connect to that, so the
 * events, which hold callers' credentials, are below a path that only the process knows.
 * @see AWS Lambda Developer Guide, "Using the Lambda runtime API for custom runtimes"
 */
export class RuntimeApi {
  // The process sends its result on the connection of the event, however long the event took.
  private readonly server = createServer(
    { keepAliveTimeout: 0 },
    (request, response) => void this.serve(request, response),
  );
  /** Called with every message from the process. */
  onAnswer: (answer: RuntimeAnswer) => void = () => undefined;
  private readonly path: string;
  private waiting: ServerResponse | undefined;
  private next: Invocation | undefined;
  /** The request id of the delivered event. */
  private current: string | undefined;
  /** Whether the process may send the event's result. */
  private isRunning = false;
  private whenWaiting: () => void = () => undefined;

  /** @param path before all paths, such as `/6f1d`; empty for AWS's clients, which use host and port alone */
  constructor(path = '') {
    this.path = path;
  }

  /** Starts listening. @returns `host:port`, with the path */
  async listen(): Promise<string> {
    return `127.0.0.1:${await listenOnLoopback(this.server, 0)}${this.path}`;
  }

  /** Delivers an event as soon as the process asks for one. */
  deliver(invocation: Invocation): void {
    this.next = invocation;
    this.handOver();
  }

  /** Resolves once the process asks for another event, which it does unless it exits. */
  async nextRequest(): Promise<void> {
    if (!this.waiting) await new Promise<void>((resolve) => (this.whenWaiting = resolve));
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers, socket } = request;
    if (!isLoopbackHost(headers.host, socket.localPort)) {
      request.resume();
      response.writeHead(403).end();
      return;
    }
    const base = `${this.path}${BASE}`;
    const operation = url.startsWith(`${base}/`) ? url.slice(base.length) : '';
    if (method === 'GET' && operation === '/invocation/next') return this.awaitEvent(response);
    // A process that exits while it sends is reported separately.
    const body = await readBody(request, MAX_RESPONSE_BYTES).catch(() => undefined);
    const [, requestId, kind] = RESULT.exec(operation) ?? [];
    if (method === 'POST' && requestId !== undefined) this.takeResult(response, requestId, kind, body);
    else if (method === 'POST' && operation === '/init/error') {
      this.acknowledge(response, body);
      this.onAnswer({ kind: 'init-error', payload: body ?? responseTooLarge() });
    } else response.writeHead(404).end();
  }

  private awaitEvent(response: ServerResponse): void {
    this.waiting = response;
    this.whenWaiting();
    this.onAnswer({ kind: 'ready' });
    this.handOver();
  }

  private takeResult(response: ServerResponse, requestId: string, kind?: string, payload?: Buffer): void {
    if (requestId !== this.current) return refuse(response, 400, 'InvalidRequestID', 'Invalid request ID');
    if (!this.isRunning)
      return refuse(response, 403, 'InvalidStateTransition', 'The invocation already has a result');
    this.acknowledge(response, payload);
    if (kind === 'response' && payload !== undefined) this.onAnswer({ kind, requestId, payload });
    else this.onAnswer({ kind: 'error', requestId, payload: payload ?? responseTooLarge() });
  }

  /** @param body undefined if it was too large */
  private acknowledge(response: ServerResponse, body: Buffer | undefined): void {
    this.isRunning = false;
    if (body === undefined) refuse(response, 413, 'RequestEntityTooLarge', RESPONSE_TOO_LARGE);
    else response.writeHead(202, JSON_TYPE).end('{"status":"OK"}\n');
  }

  private handOver(): void {
    if (!this.waiting || !this.next) return;
    const { requestId, payload, functionArn, traceHeader, deadlineMs, offsetMs } = this.next;
    this.waiting
      .writeHead(200, {
        'Content-Type': 'application/json',
        'Lambda-Runtime-Aws-Request-Id': requestId,
        'Lambda-Runtime-Deadline-Ms': deadlineMs,
        'Lambda-Runtime-Invoked-Function-Arn': functionArn,
        ...(traceHeader !== undefined && { 'Lambda-Runtime-Trace-Id': traceHeader }),
        'Loopback-Clock-Offset-Ms': offsetMs,
      })
      .end(payload);
    this.waiting = undefined;
    this.next = undefined;
    this.current = requestId;
    this.isRunning = true;
  }
}

/** @see https://github.com/aws/aws-lambda-runtime-interface-emulator (rapi/rendering/render_error.go) */
function refuse(response: ServerResponse, status: number, errorType: string, errorMessage: string): void {
  response.writeHead(status, JSON_TYPE).end(`${JSON.stringify({ errorMessage, errorType })}\n`);
}

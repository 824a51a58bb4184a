import { type IncomingMessage } from 'node:http';
import { Agent, type AgentOptions, request } from 'node:https';
import { type TLSSocket } from 'node:tls';

import { closeUnusable, hasConnections, noteUse } from './kept-connections';

/** One request. Redirects are never followed: the answer is given as it came. */
export interface HttpsRequest {
  /** Only https. */
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** For the connection with TLS, in ms. */
  connectTimeoutMs: number;
  /** From the call to the last byte of the answer, in ms. */
  totalTimeoutMs: number;
  maxAnswerBytes: number;
}

export interface HttpsAnswer {
  status: number;
  /** Names in lower case; repeated headers joined as Node joins them. */
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** `unreadable`: an answer came that is none of HTTP/1.1 to the request; `oversized`: one that is larger than allowed. */
export type HttpsFailure = 'connect' | 'tls' | 'timeout' | 'reset' | 'unreadable' | 'oversized';

/** No whole answer was had. The message holds no header and no body. */
export class HttpsError extends Error {
  override readonly name = 'HttpsError';
  readonly code: HttpsFailure;
  /** False only if it is certain that not a byte of the request has left. */
  readonly isSent: boolean;
  /** Of an answer that began and was too large to be read to its end. */
  readonly status: number | undefined;

  constructor(code: HttpsFailure, message: string, isSent: boolean, status?: number) {
    super(message);
    this.code = code;
    this.isSent = isSent;
    this.status = status;
  }

  /** Whether an answer came, though none that can be used. */
  get isAnswered(): boolean {
    return this.code === 'oversized' || this.code === 'unreadable';
  }
}

const TLS_FAILURE = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|EPROTO)/;

/** What a connection may lie idle: not long enough to be cut off by the other side. */
const LONGEST_IDLE_MS = 4_000;
/**
 * Connections are kept for the next request of a warm process. Their number is not limited: of one that a request had to
 * wait for, Node tells neither that it is reused nor when TLS is up.
 */
const AGENT_OPTIONS: AgentOptions = {
  keepAlive: true,
  minVersion: 'TLSv1.2',
  timeout: LONGEST_IDLE_MS,
};
const usualAgent = new Agent(AGENT_OPTIONS);

/**
 * Sends a request over TLS 1.2 or later and reads the answer whole.
 * @throws {HttpsError} after which the connection is closed
 */
export function sendHttps(options: HttpsRequest): Promise<HttpsAnswer> {
  return send(options, usualAgent);
}

/** What sends as {@link sendHttps} does, but trusts the authorities of a PEM text, and no others. */
export function sendHttpsTrusting(ca: string): typeof sendHttps {
  const agent = new Agent({ ...AGENT_OPTIONS, ca });
  return (options) => send(options, agent);
}

function send(options: HttpsRequest, agent: Agent): Promise<HttpsAnswer> {
  const { protocol } = options.url;
  if (protocol !== 'https:') throw new TypeError(`scheme ${protocol} is not https:`);
  if (!hasConnections(agent.freeSockets)) return exchange(options, agent);
  return closeUnusable(agent.freeSockets, LONGEST_IDLE_MS).then(() => exchange(options, agent));
}

function exchange(options: HttpsRequest, agent: Agent): Promise<HttpsAnswer> {
  const { url, method, headers, body, maxAnswerBytes } = options;
  return new Promise((resolve, reject) => {
    let isSent = false;
    // Node adds the length of a body that is given whole.
    const outgoing = request({ agent, method, headers, ...placeOf(url) });
    const fail = (code: HttpsFailure, message: string, status?: number) => {
      stopTimers();
      reject(new HttpsError(code, message, isSent, status));
      outgoing.destroy();
    };
    const total = setTimeout(
      () => fail('timeout', `no whole answer within ${options.totalTimeoutMs} ms`),
      options.totalTimeoutMs,
    );
    let connect: NodeJS.Timeout | undefined;
    const stopTimers = () => {
      clearTimeout(total);
      clearTimeout(connect);
    };
    outgoing.on('socket', (socket) => {
      isSent = outgoing.reusedSocket;
      if (isSent) return;
      connect = setTimeout(
        () => fail('connect', `no connection within ${options.connectTimeoutMs} ms`),
        options.connectTimeoutMs,
      );
      (socket as TLSSocket).once('secureConnect', () => {
        isSent = true;
        clearTimeout(connect);
      });
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const cause = error.code ?? 'no code';
      if (TLS_FAILURE.test(cause)) fail('tls', `TLS failed (${cause})`);
      else if (cause.startsWith('HPE_')) fail('unreadable', `the answer is no HTTP (${cause})`);
      else fail(isSent ? 'reset' : 'connect', `${isSent ? 'connection broke' : 'no connection'} (${cause})`);
    });
    // Of a 101 Node says nothing else, and closes the connection only where nobody listens.
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      fail('unreadable', 'the answer switches to another protocol');
    });
    outgoing.on('response', (answer) => {
      // At its end the answer has no connection any longer.
      const { socket } = answer;
      const chunks: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxAnswerBytes) chunks.push(chunk);
        else fail('oversized', `the answer is larger than ${maxAnswerBytes} bytes`, answer.statusCode);
      });
      answer.on('end', () => {
        stopTimers();
        noteUse(socket);
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: answer.statusCode ?? 0, headers: flatten(answer), body: text });
      });
      answer.on('error', () => fail('reset', 'connection broke in the answer'));
    });
    outgoing.end(body);
  });
}

/** Where a request goes, as Node takes it: that takes it from a URL several times as long. */
function placeOf({ hostname, port, pathname, search }: URL) {
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port, path: `${pathname}${search}` };
}

function flatten({ headers }: IncomingMessage): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = {};
  for (const name in headers) {
    const value = headers[name];
    flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

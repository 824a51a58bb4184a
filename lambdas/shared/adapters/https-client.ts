import { type Agent as AnyAgent, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent, type AgentOptions, request } from 'node:https';
import { type TLSSocket } from 'node:tls';

import { expireAfter } from './deadlines';
import { closeUnusable, hasConnections, noteUse } from './kept-connections';

/** One request. Redirects are returned, never followed. */
export interface HttpsRequest {
  /** Only https. */
  url: URL;
  /** Path and query in place of those of `url`, for callers that would otherwise parse a URL for each request. */
  path?: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Time limit for the connection and the TLS handshake, in ms. */
  connectTimeoutMs: number;
  /** Time limit from the call to the last byte of the response, in ms. */
  totalTimeoutMs: number;
  maxAnswerBytes: number;
}

export interface HttpsAnswer {
  status: number;
  /** Names in lower case. Repeated headers are joined as in Node. */
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/**
 * `unreadable`: the response is not valid HTTP/1.1; `oversized`: it exceeds `maxAnswerBytes`; `proxy`: the proxy opened no
 * way to the peer; `proxy_refused`: it will not until a person acts.
 */
export type HttpsFailure =
  'connect' | 'tls' | 'timeout' | 'reset' | 'unreadable' | 'oversized' | 'proxy' | 'proxy_refused';

/** No complete response arrived. The message contains no headers and no body. */
export class HttpsError extends Error {
  override readonly name = 'HttpsError';
  readonly code: HttpsFailure;
  /** False only if it is certain that no byte of the request was sent. */
  readonly isSent: boolean;
  /** Status of an oversized response. */
  readonly status: number | undefined;

  constructor(code: HttpsFailure, message: string, isSent: boolean, status?: number) {
    super(message);
    this.code = code;
    this.isSent = isSent;
    this.status = status;
  }

  /** Whether the same request would fail again within seconds. */
  get isLasting(): boolean {
    return this.code === 'tls' || this.code === 'proxy_refused';
  }

  /** Whether a response arrived, although it is unusable. */
  get isAnswered(): boolean {
    return this.code === 'oversized' || this.code === 'unreadable';
  }
}

const TLS_FAILURE = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|EPROTO)/;

/** Error codes of agents that connect through a proxy; their messages are ours. */
const PROXY_FAILURES: Readonly<Record<string, HttpsFailure | undefined>> = {
  ERR_PROXY_FAILED: 'proxy',
  ERR_PROXY_REFUSED: 'proxy_refused',
};

/** Maximum idle time of a connection, short enough that the peer does not close it first. */
const MAX_IDLE_MS = 4_000;
/**
 * Keeps connections for the next request of a warm process. Their number is not limited: for a request that waits for a
 * socket, Node reports neither reuse nor the end of the TLS handshake.
 */
export const AGENT_OPTIONS: AgentOptions = {
  keepAlive: true,
  minVersion: 'TLSv1.2',
  timeout: MAX_IDLE_MS,
};
// Without the timeout, for which Node sets and clears a timer with each request: `send` closes connections that were idle too long.
// An agent without it heeds a `Keep-Alive` header only if that forbids reuse.
const defaultAgent = new Agent({ ...AGENT_OPTIONS, timeout: undefined });

/**
 * Sends a request over TLS 1.2 or later and reads the complete response.
 * @throws {HttpsError} after closing the connection
 */
export function sendHttps(options: HttpsRequest): Promise<HttpsAnswer> {
  return send(options, defaultAgent);
}

/**
 * Like {@link sendHttps}, but trusts only the certificate authorities of a PEM text.
 * @param servername that the certificate must have; by default that of the request's `Host`
 */
export function sendHttpsTrusting(ca: string, servername?: string): typeof sendHttps {
  return sendHttpsOver(new Agent({ ...AGENT_OPTIONS, ca, ...(servername !== undefined && { servername }) }));
}

/**
 * Like {@link sendHttps}, over connections of an agent, which may fail with the codes of {@link PROXY_FAILURES}.
 * @param agent by default the one of {@link sendHttps}
 */
export function sendHttpsOver(agent: AnyAgent = defaultAgent): typeof sendHttps {
  return (options) => send(options, agent);
}

function send(options: HttpsRequest, agent: AnyAgent): Promise<HttpsAnswer> {
  const { protocol } = options.url;
  if (protocol !== 'https:') throw new TypeError(`scheme ${protocol} is not https:`);
  return new Promise((resolve, reject) => {
    const { freeSockets } = agent;
    if (!hasConnections(freeSockets)) return exchange(options, agent, resolve, reject);
    // The turn of the event loop lets the sockets read what has arrived.
    setImmediate(() => {
      closeUnusable(freeSockets, MAX_IDLE_MS);
      exchange(options, agent, resolve, reject);
    });
  });
}

function exchange(
  options: HttpsRequest,
  agent: AnyAgent,
  resolve: (answer: HttpsAnswer) => void,
  reject: (error: Error) => void,
): void {
  const { method, body, maxAnswerBytes } = options;
  const { hostname } = options.url;
  let isSent = false;
  let cancelConnectDeadline: (() => void) | undefined;
  let outgoing: ClientRequest;
  try {
    outgoing = request({ agent, method, headers: headersOf(options), ...addressOf(options) });
  } catch (error) {
    // Node refuses some headers.
    reject(error as Error);
    return;
  }
  const fail = (code: HttpsFailure, message: string, status?: number) => {
    cancelDeadlines();
    reject(new HttpsError(code, message, isSent, status));
    outgoing.destroy();
  };
  const cancelTotalDeadline = expireAfter(options.totalTimeoutMs, () =>
    fail('timeout', `no complete answer within ${Math.round(options.totalTimeoutMs)} ms`),
  );
  const cancelDeadlines = () => {
    cancelTotalDeadline();
    cancelConnectDeadline?.();
  };
  outgoing.on('socket', (socket) => {
    isSent = outgoing.reusedSocket;
    if (isSent) return;
    cancelConnectDeadline = expireAfter(options.connectTimeoutMs, () =>
      fail('connect', `no connection to ${hostname} within ${options.connectTimeoutMs} ms`),
    );
    (socket as TLSSocket).once('secureConnect', () => {
      isSent = true;
      cancelConnectDeadline?.();
    });
  });
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    const cause = error.code ?? 'no code';
    const ofProxy = PROXY_FAILURES[cause];
    if (ofProxy !== undefined) fail(ofProxy, error.message);
    else if (TLS_FAILURE.test(cause)) fail('tls', `TLS failed (${cause})`);
    else if (cause.startsWith('HPE_')) fail('unreadable', `the answer is not HTTP (${cause})`);
    else fail(isSent ? 'reset' : 'connect', `${isSent ? 'connection broke' : 'no connection'} (${cause})`);
  });
  // For a 101, Node emits no other event, and a listener must close the connection itself.
  outgoing.on('upgrade', (_, socket) => {
    socket.destroy();
    fail('unreadable', 'the answer switches to another protocol');
  });
  outgoing.on('response', (answer) => {
    // The response loses its socket when it ends.
    const { socket } = answer;
    const chunks: Buffer[] = [];
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxAnswerBytes) chunks.push(chunk);
      else fail('oversized', `the answer is larger than ${maxAnswerBytes} bytes`, answer.statusCode);
    });
    answer.on('end', () => {
      cancelDeadlines();
      const complete = answerOf(answer, chunks);
      noteUse(socket, complete.headers['keep-alive']);
      resolve(complete);
    });
    answer.on('error', () => fail('reset', 'connection broke during the answer'));
  });
  outgoing.end(body);
}

function answerOf(answer: IncomingMessage, chunks: readonly Buffer[]): HttpsAnswer {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  return {
    status: answer.statusCode ?? 0,
    headers: flatten(answer),
    body: bytes.toString('utf8'),
  };
}

/**
 * The headers as a list of names and values, which Node sends unchanged and faster than an object. An object if Node needs it:
 * for the server's name in `Host`, and for the length of an empty body, which depends on the method.
 */
function headersOf({ url, headers, body }: HttpsRequest): string[] | HttpsRequest['headers'] {
  if (headers.host !== undefined || headers['content-length'] !== undefined || body === '') return headers;
  const list = ['Host', url.host, 'Content-Length', String(Buffer.byteLength(body))];
  for (const name in headers) list.push(name, headers[name]!);
  return list;
}

/** The URL as request options: Node takes several times as long to convert it itself. */
function addressOf({ url, path = `${url.pathname}${url.search}` }: HttpsRequest) {
  const { hostname, port } = url;
  return { hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname, port, path };
}

function flatten({ headers }: IncomingMessage): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = {};
  for (const name in headers) {
    const value = headers[name];
    flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

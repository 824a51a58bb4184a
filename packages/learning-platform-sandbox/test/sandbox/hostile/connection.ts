import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { type HostileRequest } from './hostile-requests';

/** The response, if any. */
export interface HostileAnswer {
  /** 0 if the connection was broken. */
  readonly status: number;
  readonly contentType: string;
  /** Headers and body as text. */
  readonly text: string;
  readonly body: string;
}

/** Sends a request over TLS with Node's client. */
export function sendHostile(
  origin: string,
  agent: https.Agent,
  request: HostileRequest,
): Promise<HostileAnswer> {
  const { hostname, port, host } = new URL(origin);
  const { method, path, body } = request;
  const length = body === undefined ? [] : ['Content-Length', `${body.length}`];
  const headers = ['Host', host, ...request.headers, ...length];
  return new Promise((resolve, reject) => {
    const sent = https.request({ hostname, port, agent, method, path, headers }, (response) => {
      buffer(response).then((bytes) => {
        const text = bytes.toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? '',
          text: `${response.rawHeaders.join('\n')}\n${text}`,
          body: text,
        });
      }, broken);
    });
    // A server that refuses a body early breaks the connection.
    const broken = (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE'
        ? resolve({ status: 0, contentType: '', text: '', body: '' })
        : reject(error);
    sent.on('error', broken);
    sent.end(body);
  });
}

import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';

export interface HttpsRequest {
  /** A header with several values is sent once per value. */
  headers?: Readonly<Record<string, string | string[]>>;
  body?: string | Buffer;
}

export interface HttpsAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends one request on a new connection, trusting only the given CA certificates. */
export async function sendHttps(
  ca: string,
  method: string,
  url: string,
  { headers = {}, body = '' }: HttpsRequest,
): Promise<HttpsAnswer> {
  const { origin } = new URL(url);
  const outgoing = request(origin, {
    // Passed separately, since a URL would normalize `%2E%2E`.
    path: url.slice(origin.length),
    method,
    ca,
    agent: false,
    headers: { 'content-length': String(Buffer.byteLength(body)), ...headers },
  });
  const [answer] = (await once(outgoing.end(body), 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) };
}

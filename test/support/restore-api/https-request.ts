import { type IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';

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
export function sendHttps(
  ca: string,
  method: string,
  url: string,
  { headers = {}, body = '' }: HttpsRequest,
): Promise<HttpsAnswer> {
  const { origin } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      origin,
      {
        // Passed separately, since a URL would normalize `%2E%2E`.
        path: url.slice(origin.length),
        method,
        ca,
        agent: false,
        headers: { 'content-length': String(Buffer.byteLength(body)), ...headers },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('error', reject);
        answer.once('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

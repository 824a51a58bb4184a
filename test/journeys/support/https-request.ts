import { type IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';

/** What goes out, exactly as given. */
export interface HttpsRequest {
  /** A header with several values is sent several times. */
  headers?: Readonly<Record<string, string | string[]>>;
  body?: string | Buffer;
}

/** What came back, as it came. */
export interface HttpsAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends one request over a connection of its own, trusting the given CA certificates and no others. */
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
        // Not as part of the URL, which would be normalized: `%2E%2E` is to arrive as that.
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

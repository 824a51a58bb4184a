import { type Agent, request } from 'node:https';

/** From the first byte sent to the last byte read. */
const TIMEOUT_MS = 30_000;
const MAX_BODY_CHARS = 32 * 1024 * 1024;

/** One request. Redirects are not followed, and only headers that HTTP requires are added. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute, `https:`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One response with its body as text. Header names are in lower case. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Sends one request. @throws {NoAnswerError} */
export type Send = (request: HttpRequest) => Promise<HttpAnswer>;

/** No complete response: the platform is unreachable or not trusted, or the response is too slow or too long. */
export class NoAnswerError extends Error {
  readonly code = 'no_answer';

  constructor(url: string, cause: NodeJS.ErrnoException) {
    super(`no answer from ${new URL(url).origin}: ${cause.code ?? cause.message}`, { cause });
    this.name = 'NoAnswerError';
  }
}

/**
 * Sends one request over HTTPS.
 * @param signal cancels the request
 * @throws {NoAnswerError} if the connection fails, or the response is too slow or too long
 */
export async function sendOverHttps(
  { method, url, headers, body }: HttpRequest,
  agent: Agent,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const options = { method, headers: { ...headers, ...lengthOf(body) }, agent, signal };
  const sent = request(url, options);
  const timer = setTimeout(() => sent.destroy(new Error(`none within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
  try {
    return await new Promise((resolve, reject) => {
      sent.on('error', (error) => reject(new NoAnswerError(url, error)));
      sent.on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
          if (text.length > MAX_BODY_CHARS) sent.destroy(new Error('it is too long'));
        });
        answer.on('error', (error) => reject(new NoAnswerError(url, error)));
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, headers: withTextValues(answer.headers), body: text }),
        );
      });
      sent.end(body);
    });
  } finally {
    clearTimeout(timer);
  }
}

function lengthOf(body: string | undefined) {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

function withTextValues(headers: NodeJS.Dict<string | string[]>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));
}

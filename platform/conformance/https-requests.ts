import { type Agent, request } from 'node:https';

/** How long a platform may take for one answer, from the first byte sent to the last one read. */
const PATIENCE_MS = 30_000;
/** Of an answer, so many characters are read. */
const MAX_BODY_CHARS = 32 * 1024 * 1024;

/** One request. Redirects are not followed, and nothing is added to the headers but what HTTP needs. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute, `https:`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One answer, its body read as text. Header names are in lower case. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Sends one request. @throws {NoAnswerError} */
export type Send = (request: HttpRequest) => Promise<HttpAnswer>;

/** There is no answer: the platform could not be reached, is not trusted, broke off, or took too long. */
export class NoAnswerError extends Error {
  readonly code = 'no_answer';

  constructor(url: string, cause: NodeJS.ErrnoException) {
    super(`no answer from ${new URL(url).origin}: ${cause.code ?? cause.message}`, { cause });
    this.name = 'NoAnswerError';
  }
}

/**
 * Sends one request over HTTPS.
 * @param signal ends it before its time
 * @throws {NoAnswerError} for a connection that fails, and for an answer that is too long or takes too long
 */
export async function sendOverHttps(
  asked: HttpRequest,
  agent: Agent,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const { method, url, headers, body } = asked;
  const options = { method, headers: { ...headers, ...lengthOf(body) }, agent, signal };
  const sent = request(url, options);
  const timer = setTimeout(() => sent.destroy(new Error(`none within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
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
          resolve({ status: answer.statusCode!, headers: joined(answer.headers), body: text }),
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

function joined(headers: NodeJS.Dict<string | string[]>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));
}

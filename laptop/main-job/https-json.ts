import { type Agent, request } from 'node:https';
import { buffer } from 'node:stream/consumers';

const TIMEOUT_MS = 35_000;

/** An HTTPS response. `body` is parsed if it is JSON, else it is the text. */
export interface JsonAnswer {
  status: number;
  body: unknown;
}

/**
 * Sends one request that trusts only the given CA certificates.
 * @param options.agent keeps connections for further requests; by default, each request has its own
 */
export function sendJson(
  ca: string,
  method: string,
  url: string,
  options: { headers?: Record<string, string>; body?: unknown; agent?: Agent } = {},
): Promise<JsonAnswer> {
  const text = options.body === undefined ? '' : JSON.stringify(options.body);
  const headers = {
    ...(options.body !== undefined && { 'content-type': 'application/json' }),
    'content-length': String(Buffer.byteLength(text)),
    ...options.headers,
  };
  const { agent = false } = options;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, ca, agent, timeout: TIMEOUT_MS, headers }, (answer) => {
      buffer(answer).then((bytes) => {
        resolve({ status: answer.statusCode ?? 0, body: parse(bytes.toString()) });
      }, reject);
    });
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.once('error', reject);
    outgoing.end(text);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import { type Agent, request } from 'node:https';
import { buffer } from 'node:stream/consumers';

interface HttpsCall {
  method: string;
  url: string;
  /** PEM of the trusted CA certificates; no others are trusted. */
  ca: string;
  /** @default a new connection for this call */
  agent?: Agent;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
}

/** Sends a request and reads the whole response. @throws {Error} if there is none, or none in time */
export function callHttps(call: HttpsCall): Promise<{ status: number; text: string }> {
  const { method, url, ca, agent = false, headers = {}, body = '', timeoutMs } = call;
  return new Promise((resolve, reject) => {
    const sentHeaders = { ...headers, 'Content-Length': String(Buffer.byteLength(body)) };
    const options = { method, ca, agent, timeout: timeoutMs, headers: sentHeaders };
    const sent = request(url, options, (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, text: bytes.toString() }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${timeoutMs / 1000} s`)));
    sent.end(body);
  });
}

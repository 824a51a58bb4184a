import { type Agent, request } from 'node:https';
import { buffer } from 'node:stream/consumers';

/** One request over HTTPS. */
interface HttpsCall {
  method: string;
  url: string;
  /** PEM of the authorities that are trusted; no others are. */
  ca: string;
  /** @default a connection for this call alone */
  agent?: Agent;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
}

/** Sends a request and reads its answer to the end. @throws {Error} when there is no answer, or none in time. */
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

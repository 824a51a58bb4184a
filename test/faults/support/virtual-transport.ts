import { HttpsError, type sendHttps } from '../../../lambdas/shared/adapters/https-client';
import { type Clock } from '../../../lambdas/shared/ports';
import { type Platform } from './platform-double';

/** A request that the transport was asked to send. */
export interface SentRequest {
  atMs: number;
  connectTimeoutMs: number;
  totalTimeoutMs: number;
}

/** Sends requests to a platform on virtual time, with the real transport's errors. */
export class VirtualTransport {
  readonly sent: SentRequest[] = [];
  /** Latency of each answer, in ms. */
  latencyMs = 0;
  readonly #platform: Platform;
  readonly #clock: Clock;

  constructor(platform: Platform, clock: Clock) {
    this.#platform = platform;
    this.#clock = clock;
  }

  send: typeof sendHttps = async ({
    url,
    headers,
    body,
    connectTimeoutMs,
    totalTimeoutMs,
    maxAnswerBytes,
  }) => {
    this.sent.push({ atMs: this.#clock.monotonicMs(), connectTimeoutMs, totalTimeoutMs });
    const reply = this.#platform.reply(url.pathname, body, headers);
    if (this.latencyMs > 0) await this.#clock.sleep(Math.min(this.latencyMs, totalTimeoutMs));
    switch (reply.kind) {
      case 'silence':
        await this.#clock.sleep(totalTimeoutMs);
        throw new HttpsError('timeout', `no complete answer within ${totalTimeoutMs} ms`, true);
      case 'reset':
        throw new HttpsError('reset', 'connection broke (ECONNRESET)', true);
      case 'unreachable':
        throw new HttpsError(
          /^CERT_|^DEPTH_|^ERR_TLS_|^EPROTO/.test(reply.code) ? 'tls' : 'connect',
          `no connection (${reply.code})`,
          false,
        );
      case 'answer':
        if (Buffer.byteLength(reply.body) > maxAnswerBytes) {
          throw new HttpsError('oversized', `the answer is larger than ${maxAnswerBytes} bytes`, true);
        }
        return { status: reply.status, headers: reply.headers ?? {}, body: reply.body };
    }
  };
}

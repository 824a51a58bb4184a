import { HttpsError, type sendHttps } from '../../../lambdas/shared/adapters/https-client';
import { type Clock } from '../../../lambdas/shared/ports';
import { type Platform } from './credential-platform';

/**
 * Sends requests to a platform on virtual time, with the real transport's errors.
 * @param latencyMs of each answer
 */
export function virtualTransport(platform: Platform, clock: Clock, latencyMs = 0): typeof sendHttps {
  return async ({ url, headers, body, totalTimeoutMs, maxAnswerBytes }) => {
    const reply = platform.reply(url.pathname, body, headers);
    if (latencyMs > 0) await clock.sleep(Math.min(latencyMs, totalTimeoutMs));
    switch (reply.kind) {
      case 'silence':
        await clock.sleep(totalTimeoutMs);
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

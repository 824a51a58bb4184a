import { type TokenFault } from '../../../core/alarms/metrics';
import { elapsedMs, momentOf } from '../../../core/calls/moment';
import { interpretTokenAnswer, type IssuedToken } from '../../../core/tokens/token-answer';
import { PlatformUnavailableError, TokenError } from '../../../core/tokens/token-errors';
import { type Clock, type TokenIssuer, type TokenRequest } from '../ports';
import { HttpsError, type HttpsFailure, sendHttps } from './https-client';

const CONNECT_TIMEOUT_MS = 2_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const FAULTS: Partial<Record<HttpsFailure, TokenFault>> = {
  tls: 'tls_failed',
  proxy: 'proxy_failed',
  proxy_refused: 'proxy_refused',
};

/**
 * Requests tokens from the platform.
 * @see the platform's specification, "Endpoints" 1: JSON body, tenant in the path
 */
export class PlatformTokenIssuer implements TokenIssuer {
  private readonly clock: Clock;
  private readonly sendRequest: typeof sendHttps;

  /** @param sendRequest sends the requests */
  constructor(clock: Clock, sendRequest = sendHttps) {
    this.clock = clock;
    this.sendRequest = sendRequest;
  }

  async requestToken(request: TokenRequest): Promise<IssuedToken> {
    const begun = momentOf(this.clock);
    const answer = await this.send(request);
    const answered = momentOf(this.clock);
    // If the clock was set back in the meantime, count from its new time, by which the expiry will be checked.
    const requestedAtMs = answered.wallMs - elapsedMs(begun, answered);
    return interpretTokenAnswer(answer, request.tokenType, requestedAtMs);
  }

  private async send(request: TokenRequest) {
    try {
      return await this.sendRequest({
        url: new URL(`${request.baseUrl}/oauth2/token/${encodeURIComponent(request.tenantId)}`),
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({
          scope: request.tokenType.scope,
          grant_type: 'client_credentials',
          client_id: request.clientId,
          client_secret: request.clientSecret,
        }),
        connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, request.timeoutMs),
        totalTimeoutMs: request.timeoutMs,
        maxAnswerBytes: MAX_ANSWER_BYTES,
      });
    } catch (error) {
      if (!(error instanceof HttpsError)) throw error;
      const message = `the token endpoint gave no answer: ${error.message}`;
      if (error.isAnswered) throw new TokenError('bad_platform_answer', message, { cause: error });
      throw new PlatformUnavailableError(message, {
        cause: error,
        isRetryable: !error.isLasting,
        fault: FAULTS[error.code],
      });
    }
  }
}

import { type TokenFault } from '../../../core/alarms/metrics';
import { elapsedMs, momentOf } from '../../../core/calls/moment';
import {
  type DeploymentFile,
  type IssuerTenant,
  parametersOf,
  tokenBaseUrl,
} from '../../../core/deployment/deployment-file';
import { tokenRequestOf } from '../../../core/issuers/token-request';
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

/** The parts of a deployment that token requests need. */
export type IssuingDeployment = Pick<DeploymentFile, 'profile' | 'platform'> & {
  readonly tenants: readonly IssuerTenant[];
};

/** Requests tokens over HTTPS, in the form that the issuer's profile describes. */
export class HttpsTokenIssuer implements TokenIssuer {
  private readonly deployment: IssuingDeployment;
  private readonly clock: Clock;
  private readonly sendRequest: typeof sendHttps;

  constructor(deployment: IssuingDeployment, clock: Clock, sendRequest = sendHttps) {
    this.deployment = deployment;
    this.clock = clock;
    this.sendRequest = sendRequest;
  }

  async requestToken(request: TokenRequest): Promise<IssuedToken> {
    const startMoment = momentOf(this.clock);
    const answer = await this.send(request);
    const endMoment = momentOf(this.clock);
    // Counted back from the end: if the clock was set during the request, later checks of the expiry use its new time.
    const requestedAtMs = endMoment.wallMs - elapsedMs(startMoment, endMoment);
    return interpretTokenAnswer(answer, request.tokenType, requestedAtMs, this.deployment.profile);
  }

  private async send(request: TokenRequest) {
    const { tenantId, tokenType, clientId, clientSecret, timeoutMs } = request;
    const { interface: tokenInterface, scope } = tokenType;
    const baseUrl = tokenBaseUrl(this.deployment, tokenInterface);
    if (baseUrl === undefined) {
      const message = `the configuration has no token endpoint for ${tokenInterface}`;
      throw new TokenError('unknown_token_key', message);
    }
    const parameters = parametersOf(this.deployment, request);
    const token = { tenantId, scope, clientId, clientSecret, parameters };
    const { url, headers, body } = tokenRequestOf(this.deployment.profile, baseUrl, token);
    try {
      return await this.sendRequest({
        url: new URL(url),
        method: 'POST',
        headers,
        body,
        connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
        totalTimeoutMs: timeoutMs,
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

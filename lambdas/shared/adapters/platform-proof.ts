import { tokenName, tokenNames, type TokenType, tokenTypeOf } from '../../../core/tokens/token-key';
import { type ApiKeyValue, type ClientCredentialsValue } from '../../../core/secrets/secret-values';
import { interpretContentsAnswer } from '../../../core/restore/contents-answer';
import { type CredentialValue } from '../../../core/secrets/credential-values';
import { PlatformUnavailableError, TokenError } from '../../../core/tokens/token-errors';
import { type Clock, type CredentialProof, type ProofOutcome, type Random } from '../ports';
import { HttpsError, sendHttps } from './https-client';
import { HttpsTokenIssuer, type IssuingDeployment } from './https-token-issuer';
import { type ProofAttempt, type RepeatedProof, repeatProof } from './repeated-proof';

const CONNECT_TIMEOUT_MS = 2_000;
/** Only the status of the list of contents matters, so a larger body is not read. */
const MAX_ANSWER_BYTES = 64 * 1024;

interface ProvenTenant {
  tenantId: string;
  tokens: readonly TokenType[];
}

interface TokenProof {
  tokenType: TokenType;
  outcome: RepeatedProof;
}

/**
 * Proves credentials by using them once. Never follows redirects, so a credential reaches only the configured addresses.
 * @see the platform's specification, "Authentication"
 */
export class PlatformProof implements CredentialProof {
  private readonly contentBaseUrl: string | undefined;
  private readonly timing: { clock: Clock; random: Random };
  private readonly sendRequest: typeof sendHttps;
  private readonly issuer: HttpsTokenIssuer;

  constructor(options: {
    deployment: IssuingDeployment;
    clock: Clock;
    random?: Random;
    sendRequest?: typeof sendHttps;
  }) {
    this.contentBaseUrl = options.deployment.platform.contentBaseUrl;
    this.timing = { clock: options.clock, random: options.random ?? Math.random };
    this.sendRequest = options.sendRequest ?? sendHttps;
    this.issuer = new HttpsTokenIssuer(options.deployment, options.clock, this.sendRequest);
  }

  prove(
    tenant: ProvenTenant,
    credential: CredentialValue,
    deadlineMs: number,
    mayLag = true,
  ): Promise<ProofOutcome> {
    return credential.kind === 'client-credentials'
      ? this.proveClientCredentials(tenant, credential.value, deadlineMs)
      : this.proveApiKey(tenant, credential.value, deadlineMs, mayLag);
  }

  /**
   * Requests each declared token. Interfaces are tested in parallel, the tokens of an interface one by one until it gives no
   * usable answer.
   */
  private async proveClientCredentials(
    { tenantId, tokens }: ProvenTenant,
    value: ClientCredentialsValue,
    deadlineMs: number,
  ): Promise<ProofOutcome> {
    const proveTokens = async (tokenTypes: readonly TokenType[]): Promise<TokenProof[]> => {
      const proofs: TokenProof[] = [];
      for (const tokenType of tokenTypes) {
        const attempt = (timeoutMs: number) => this.requestToken(tenantId, tokenType, value, timeoutMs);
        const outcome = await repeatProof(attempt, this.timing, deadlineMs);
        proofs.push({ tokenType, outcome });
        if (outcome.kind === 'could_not_test') break;
      }
      return proofs;
    };
    const interfaces = [...new Set(tokens.map((token) => token.interface))];
    const tokensOf = (name: string) => tokens.filter((token) => token.interface === name);
    const proofs = (await Promise.all(interfaces.map((name) => proveTokens(tokensOf(name))))).flat();
    return proofs.length === 0
      ? { kind: 'could_not_test', reason: `no token is declared for ${tenantId}` }
      : verdictOn(proofs);
  }

  private async requestToken(
    tenantId: string,
    tokenType: TokenType,
    { clientId, clientSecret }: ClientCredentialsValue,
    timeoutMs: number,
  ): Promise<ProofAttempt> {
    try {
      await this.issuer.requestToken({ tenantId, tokenType, clientId, clientSecret, timeoutMs });
      return { kind: 'proven' };
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      const reason = error.message;
      if (error.code === 'credential_refused' || error.code === 'scope_refused') {
        return { kind: 'refused', reason, mayLag: false, isOfScope: error.code === 'scope_refused' };
      }
      const isOutage = error instanceof PlatformUnavailableError && error.isRetryable;
      return { kind: 'could_not_test', reason, isOutage, retryAfterMs: error.retryAfterMs };
    }
  }

  private async proveApiKey(
    { tenantId }: ProvenTenant,
    { apiKey, validUntil }: ApiKeyValue,
    deadlineMs: number,
    mayLag: boolean,
  ): Promise<ProofOutcome> {
    if (Date.parse(validUntil) <= this.timing.clock.nowMs()) {
      return { kind: 'refused', reason: `the key expired at ${new Date(validUntil).toISOString()}` };
    }
    const authorization = `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}`;
    const ask = async (timeoutMs: number): Promise<ProofAttempt> => {
      const attempt = await this.listContents(authorization, timeoutMs);
      return attempt.kind === 'refused' ? { ...attempt, mayLag } : attempt;
    };
    return repeatProof(ask, this.timing, deadlineMs);
  }

  private async listContents(authorization: string, timeoutMs: number): Promise<ProofAttempt> {
    const answer = await this.sendList(authorization, timeoutMs);
    if (answer instanceof HttpsError) {
      const reason = `GET /contents had no answer: ${answer.message}`;
      return { kind: 'could_not_test', reason, isOutage: !answer.isLasting };
    }
    const verdict = interpretContentsAnswer(answer, this.timing.clock.nowMs());
    if (verdict.kind === 'accepted') return { kind: 'proven' };
    if (verdict.kind === 'refused') return { ...verdict, mayLag: true };
    return { ...verdict, kind: 'could_not_test' };
  }

  private async sendList(authorization: string, timeoutMs: number) {
    try {
      return await this.sendRequest({
        url: new URL(`${this.contentBaseUrl}/contents`),
        method: 'GET',
        headers: { authorization, accept: 'application/json' },
        body: '',
        connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
        totalTimeoutMs: timeoutMs,
        maxAnswerBytes: MAX_ANSWER_BYTES,
      });
    } catch (error) {
      if (!(error instanceof HttpsError)) throw error;
      return error.status === undefined ? error : { status: error.status, headers: {} };
    }
  }
}

/**
 * The verdict on client credentials. If some tokens are refused, the credentials are wrong, unless another token is granted or each
 * refusal is of the scope: then they only lack the refused scopes.
 */
function verdictOn(proofs: readonly TokenProof[]): ProofOutcome {
  const refused = proofs.flatMap(({ tokenType, outcome }) =>
    outcome.kind === 'refused' ? [{ tokenType, ...outcome }] : [],
  );
  const [first] = refused;
  if (first !== undefined) {
    const isAnyGranted = proofs.some(({ outcome }) => outcome.kind === 'proven');
    const areWrong = !isAnyGranted && refused.some(({ isOfScope }) => isOfScope !== true);
    if (areWrong) return { kind: 'refused', reason: `${tokenName(first.tokenType)}: ${first.reason}` };
    const lacks = refused.map(({ tokenType }) => tokenTypeOf(tokenType));
    return { kind: 'refused', reason: `it lacks ${tokenNames(lacks)}: ${first.reason}`, lacks };
  }
  for (const { tokenType, outcome } of proofs) {
    if (outcome.kind === 'could_not_test') {
      return { ...outcome, reason: `${tokenName(tokenType)}: ${outcome.reason}` };
    }
  }
  return { kind: 'proven' };
}

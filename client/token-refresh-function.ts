import { InvokeCommand, type InvokeCommandOutput, type LambdaClient } from '@aws-sdk/client-lambda';

import { type DeploymentKey, type TokenKey } from '../core/tokens/published-keys';
import { deploymentKeyOf, tokenKeyText, tokenTypeOf } from '../core/tokens/token-key';
import { ENSURE_ERROR_CODES, type EnsureAnswer, type EnsureEvent } from '../core/tokens/token-refresh';
import { describeAwsFailure } from './aws-failure';
import { type Clock } from './clock';
import { RecentFailures } from './recent-failures';
import { TokenUnavailableError } from './token-unavailable-error';
import { unlessAborted } from './waits';

/** token-refresh itself finishes within 10 s. */
const INVOCATION_TIMEOUT_MS = 12_000;

/** Throttled, or a kept-alive connection broke while this process was frozen. `ensure` is safe to repeat. */
const WORTH_ANOTHER_TRY = ['TooManyRequestsException', 'ECONNRESET', 'EPIPE'];

/** Asks token-refresh to make sure that the stored token is usable. Needs `lambda:InvokeFunction`. */
export class TokenRefreshFunction {
  readonly #client: (functionName: string | undefined) => Pick<LambdaClient, 'send'>;
  readonly #nameOf: (deploymentKey: DeploymentKey) => string | undefined;
  readonly #minValiditySec: number;
  readonly #failures: RecentFailures;
  readonly #isAvoided: (region: string) => boolean;

  /** @param isAvoided whether an AWS region just failed, so that a function there is not asked */
  constructor(
    client: (functionName: string | undefined) => Pick<LambdaClient, 'send'>,
    nameOf: (deploymentKey: DeploymentKey) => string | undefined,
    minValiditySec: number,
    clock: Clock,
    isAvoided: (region: string) => boolean = () => false,
  ) {
    this.#client = client;
    this.#nameOf = nameOf;
    this.#minValiditySec = minValiditySec;
    this.#failures = new RecentFailures(clock);
    this.#isAvoided = isAvoided;
  }

  /** Whether tokens of the deployment can be renewed, and not only read. */
  isConfiguredFor(deploymentKey: DeploymentKey): boolean {
    return Boolean(this.#nameOf(deploymentKey));
  }

  /**
   * Returns the version id of the usable secret value; undefined if the function is busy or unreachable for the moment.
   * Remembers a failure for as long as the function's retryAfterSec says.
   * @param rejectedTokenSha256 digest of a token that an API refused
   * @throws {TokenUnavailableError}
   */
  async ensure(key: TokenKey, rejectedTokenSha256: string | undefined): Promise<string | undefined> {
    const name = `${tokenKeyText(key)} ${rejectedTokenSha256 ?? ''}`;
    this.#failures.throwIfRemembered(name, key);
    try {
      return await this.#invoke(key, rejectedTokenSha256);
    } catch (error) {
      if (error instanceof TokenUnavailableError && error.retryAfterSec !== undefined) {
        this.#failures.remember(name, error, error.retryAfterSec);
      }
      throw error;
    }
  }

  async #invoke(key: TokenKey, rejectedTokenSha256: string | undefined): Promise<string | undefined> {
    const functionName = this.#reachableName(key);
    const event: EnsureEvent = {
      action: 'ensure',
      tenantId: key.tenantId,
      ...tokenTypeOf(key),
      minValiditySec: this.#minValiditySec,
      ...(rejectedTokenSha256 !== undefined && { rejectedTokenSha256 }),
    };
    let answered: InvokeCommandOutput;
    try {
      answered = await this.#send(functionName, event);
    } catch (error) {
      const failure = describeAwsFailure(error, 'lambda:InvokeFunction', functionName ?? 'nothing');
      const { name, connectionCode, code, reason } = failure;
      if (WORTH_ANOTHER_TRY.includes(name) || WORTH_ANOTHER_TRY.includes(connectionCode)) return undefined;
      throw new TokenUnavailableError(code ?? 'token_refresh_unavailable', key, reason);
    }
    const answer = answered.FunctionError === undefined ? parseAnswer(answered.Payload) : undefined;
    if (answer === undefined) {
      throw new TokenUnavailableError('token_refresh_unavailable', key, 'token-refresh failed');
    }
    if (answer.ok) return answer.versionId;
    const { code, message, retryAfterSec } = answer.error;
    throw new TokenUnavailableError(code, key, message, retryAfterSec);
  }

  /** @throws {TokenUnavailableError} if the function's region just failed */
  #reachableName(key: TokenKey): string | undefined {
    const functionName = this.#nameOf(deploymentKeyOf(key) as DeploymentKey);
    const region = regionOf(functionName);
    if (region !== undefined && this.#isAvoided(region)) {
      const reason = `token-refresh is in ${region}, which does not answer`;
      throw new TokenUnavailableError('token_refresh_unavailable', key, reason);
    }
    return functionName;
  }

  #send(functionName: string | undefined, event: EnsureEvent): Promise<InvokeCommandOutput> {
    const Payload = Buffer.from(JSON.stringify(event));
    const command = new InvokeCommand({ FunctionName: functionName, Payload });
    const abortSignal = AbortSignal.timeout(INVOCATION_TIMEOUT_MS);
    // The SDK applies the signal to the request only, not to the steps before it, such as finding credentials.
    const send = async () =>
      unlessAborted(this.#client(functionName).send(command, { abortSignal }), abortSignal);
    return send().catch((error: unknown) => {
      if (wasDateWrong(error)) return send();
      throw error;
    });
  }
}

/** The AWS region in a function's ARN; undefined for a name. */
export function regionOf(functionName: string | undefined): string | undefined {
  return functionName?.startsWith('arn:') ? functionName.split(':')[3] : undefined;
}

/** What AWS services call a request whose signature is too old or not yet valid. */
const WRONG_DATE = [
  'InvalidSignatureException',
  'RequestExpired',
  'RequestInTheFuture',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
];

/**
 * Whether AWS refused the request for its date, and the next one will have the right date: the SDK has learned the time
 * from the response, or the host has corrected its clock. With `maxAttempts: 1`, the SDK itself repeats neither.
 * @see https://github.com/aws/aws-sdk-js-v3/issues/7605
 * @see https://github.com/smithy-lang/smithy-typescript/pull/1965
 */
function wasDateWrong(error: unknown): boolean {
  if (!(error instanceof Error) || !WRONG_DATE.includes(error.name)) return false;
  const { $metadata } = error as Error & { $metadata?: { clockSkewCorrected?: boolean } };
  return $metadata?.clockSkewCorrected === true || error.message.startsWith('Signature expired');
}

/** Undefined if the payload is not an answer of token-refresh. */
function parseAnswer(payload: Uint8Array | undefined): EnsureAnswer | undefined {
  try {
    const answer = JSON.parse(Buffer.from(payload ?? []).toString('utf8')) as EnsureAnswer;
    const isAnswer = answer.ok
      ? typeof answer.versionId === 'string'
      : ENSURE_ERROR_CODES.includes(answer.error.code);
    return isAnswer ? answer : undefined;
  } catch {
    return undefined;
  }
}

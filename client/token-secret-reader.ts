import {
  GetSecretValueCommand,
  type GetSecretValueCommandOutput,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import { sha256Hex } from '../core/secrets/sha256';
import { type TokenKey } from '../core/tokens/published-keys';
import { parseTokenValue } from '../core/tokens/token-value';
import { accessTokenOf } from './access-token';
import { describeAwsFailure } from './aws-failure';
import { after, type Clock, LONG_AGO, type Moment, now } from './clock';
import { type CachedToken } from './token-cache';
import { TokenUnavailableError } from './token-unavailable-error';
import { unlessAborted } from './waits';

const ACTION = 'secretsmanager:GetSecretValue';
/** For one read with the SDK's own retries. Also limits a caller's client that has no timeouts. */
export const READ_TIMEOUT_MS = 10_000;
/** The characters that are safe in a header. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** A Date header has whole seconds, so the true time can be up to this much later. */
const DATE_RESOLUTION_MS = 1_000;

/** The current version of a token secret. */
export interface StoredVersion {
  versionId: string | undefined;
  /** Undefined if the value is not a token of this key. */
  cached: CachedToken | undefined;
}

/** Reads tokens. `isEnough` says whether one is good enough. */
export interface SecretReader {
  /** Returns undefined if the secret or its value does not exist. @throws {TokenUnavailableError} */
  read(key: TokenKey, isEnough?: (token: CachedToken) => boolean): Promise<StoredVersion | undefined>;
}

/** Reads token secrets. Needs `secretsmanager:GetSecretValue`, and `kms:Decrypt` if the secret has a customer managed key. */
export class TokenSecretReader implements SecretReader {
  readonly #client: () => Pick<SecretsManagerClient, 'send'>;
  readonly #secretIdOf: (key: TokenKey) => string;
  readonly #clock: Clock;
  readonly #region: string | undefined;

  /** @param region set if tokens must say where they were read */
  constructor(
    client: () => Pick<SecretsManagerClient, 'send'>,
    secretIdOf: (key: TokenKey) => string,
    clock: Clock,
    region?: string,
  ) {
    this.#client = client;
    this.#secretIdOf = secretIdOf;
    this.#clock = clock;
    this.#region = region;
  }

  /** Returns undefined if the secret or its value does not exist. @throws {TokenUnavailableError} */
  read(key: TokenKey): Promise<StoredVersion | undefined> {
    return this.readWithin(key, READ_TIMEOUT_MS);
  }

  /** Does the same as {@link read}, with another timeout. */
  async readWithin(key: TokenKey, timeoutMs: number): Promise<StoredVersion | undefined> {
    const secretId = this.#secretIdOf(key);
    const command = new GetSecretValueCommand({ SecretId: secretId, VersionStage: 'AWSCURRENT' });
    const dateOf = noteDate(command);
    const askedAt = now(this.#clock);
    try {
      const abortSignal = AbortSignal.timeout(timeoutMs);
      // The SDK applies the signal to the request only, not to the steps before it, such as finding credentials.
      const sent = this.#client().send(command, { abortSignal });
      const answer = await unlessAborted(sent, abortSignal);
      const cached = parse(answer, key, askedAt, dateOf(), this.#region);
      return { versionId: answer.VersionId, cached };
    } catch (error) {
      const { meaning, code, reason } = describeAwsFailure(error, ACTION, secretId);
      if (meaning === 'not_found') return undefined;
      if (meaning === 'scheduled_for_deletion') {
        throw new TokenUnavailableError('not_found', key, `secret ${secretId} is scheduled for deletion`);
      }
      const place = this.#region === undefined ? '' : ` in ${this.#region}`;
      throw new TokenUnavailableError(code ?? 'store_unavailable', key, `${reason}${place}`);
    }
  }
}

/** Captures the Date header of a command's response. On the command, so that a caller's client is not modified. */
function noteDate({ middlewareStack }: GetSecretValueCommand): () => number | undefined {
  let date: string | undefined;
  middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      date = (result.response as { headers?: Record<string, string> }).headers?.date;
      return result;
    },
    { step: 'deserialize', name: 'latchkeyNoteDate' },
  );
  return () => {
    const ms = Date.parse(date ?? '');
    return Number.isNaN(ms) ? undefined : ms;
  };
}

/**
 * When a token expires by our own clocks: the remaining time by Secrets Manager's clock, counted from before the request.
 * So no token is served past its expiry and no valid one is dropped, even if our clock is wrong, is set back later, or
 * stops while the process is frozen.
 * @param askedAt a moment before the request was sent
 * @param serverDateMs the response's Date header; if undefined, our own clock is used
 * @see RFC 9110, section 6.6.1 (Date)
 */
export function tokenExpiry(expiresAtMs: number, askedAt: Moment, serverDateMs: number | undefined): Moment {
  const nowMs = serverDateMs === undefined ? askedAt.wallMs : serverDateMs + DATE_RESOLUTION_MS;
  return after(askedAt, expiresAtMs - nowMs);
}

function parse(
  { ARN: secretArn, SecretString, VersionId: versionId }: GetSecretValueCommandOutput,
  key: TokenKey,
  askedAt: Moment,
  serverDateMs: number | undefined,
  region: string | undefined,
): CachedToken | undefined {
  const value = parseTokenValue(SecretString ?? '', key);
  if (value === undefined || !VISIBLE_ASCII.test(value.accessToken)) return undefined;
  return {
    key,
    token: accessTokenOf(value, key, region),
    sha256: sha256Hex(value.accessToken),
    versionId,
    secretArn,
    expiry: tokenExpiry(Date.parse(value.expiresAt), askedAt, serverDateMs),
    quietUntil: LONG_AGO,
    fallbackUntil: LONG_AGO,
    isSuperseded: false,
  };
}

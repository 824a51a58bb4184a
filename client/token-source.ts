import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { DEFAULT_PREFIX, tokenSecretName } from '../contract/secret-names';
import { type DeploymentKey, type TokenKey, tokenKeyText } from '../contract/token-key';
import { type AccessToken } from './access-token';
import { checkToken, checkTokenKey, checkWhole } from './argument-check';
import { authorizedFetch, type AuthorizedRequestInit } from './authorized-fetch';
import { type Clock, systemClock } from './clock';
import { TokenRefreshFunction } from './token-refresh-function';
import { TokenSecretReader } from './token-secret-reader';
import { type TokenSourceEvent, TokenSupply } from './token-supply';
import { TokenUnavailableError } from './token-unavailable-error';
import { SharedWaits, withinTime } from './waits';

const DEFAULT_MIN_VALIDITY_SEC = 60;
const MOST_MIN_VALIDITY_SEC = 600;
const DEFAULT_TIMEOUT_MS = 25_000;
const MOST_TIMEOUT_MS = 600_000;

/** Options of {@link createTokenSource}. All are optional. */
export interface TokenSourceOptions {
  /**
   * Prefix of the secret names, from the deployment's configuration.
   * @default 'latchkey'
   */
  prefix?: string | undefined;
  /**
   * Returns the id of the secret that holds a token, for example its full ARN if it is in another account.
   * @default the deployment's naming rule, `PREFIX/ENVIRONMENT/PLATFORMREGION/TENANT/token/INTERFACE/SCOPE`
   */
  secretId?: ((key: TokenKey) => string) | undefined;
  /**
   * Name or ARN of the function token-refresh: the value of the SSM parameter
   * `/PREFIX/ENVIRONMENT/PLATFORMREGION/token-refresh-arn`. A string if all tokens belong to one deployment.
   * @default none: tokens are only read, which needs no permission except `secretsmanager:GetSecretValue`
   */
  tokenRefresh?: string | ((deploymentKey: DeploymentKey) => string | undefined) | undefined;
  /** @default a client with short timeouts, created on first use */
  secretsManager?: Pick<SecretsManagerClient, 'send'> | undefined;
  /** @default a client with a timeout and without retries, created on first use */
  lambda?: Pick<LambdaClient, 'send'> | undefined;
  /**
   * Minimum remaining validity of a returned token, in whole seconds from 0 to 600. If renewal fails, a token that
   * expires sooner is returned, but never an expired one.
   * @default 60
   */
  minValiditySec?: number | undefined;
  /** Sends the requests of `authorizedFetch`. @default the global `fetch` */
  fetch?: typeof fetch | undefined;
  /** @default the system clock */
  clock?: Clock | undefined;
  /** Returns a number in [0, 1), for jitter. @default Math.random */
  random?: (() => number) | undefined;
  /** Called on events in the background, for logs and metrics. Errors that it throws are ignored. */
  onEvent?: ((event: TokenSourceEvent) => void) | undefined;
}

/** Options of {@link TokenSource.getToken}. */
export interface GetTokenOptions {
  /** An access token that the platform refused. Another one is returned, or the same one if it cannot be replaced. */
  refused?: string | undefined;
  /**
   * Maximum wait, in whole milliseconds from 1 to 600,000.
   * @default 25,000
   */
  timeoutMs?: number | undefined;
}

/** A source of valid access tokens. Create one per process and keep it, because it holds the cache. */
export interface TokenSource {
  /**
   * Returns a token that is valid for at least `minValiditySec`. Returns it from memory if possible, and renews it in the
   * background in its last 20 minutes. Concurrent callers share one read of the secret and one renewal.
   * @throws {TokenUnavailableError} if there is no valid token; `code` says what to do
   * @throws {TypeError | RangeError} for an invalid key or option
   */
  getToken(key: TokenKey, options?: GetTokenOptions): Promise<AccessToken>;
  /**
   * Calls `fetch` with the token as `Authorization: Bearer`. Sends only to https URLs. Never follows a redirect, which
   * could send the token elsewhere, but returns it.
   *
   * After a 401, stops serving the token and repeats the request with another one, at most twice. It does so only if that is safe: the method is
   * GET, HEAD or OPTIONS, or `refusalPrecedesProcessing` is true, and the body is not a stream. Otherwise, or if there is
   * no other token, returns the 401 with its body unread.
   *
   * If a brand-new token is also rejected for the same request, the request is assumed to be at fault, and rejections of
   * that token are ignored for 10 minutes.
   * @throws {TokenUnavailableError} if there is no token for the first request
   * @throws {TypeError} for a URL that is not https, or an `authorization` header in `init`
   */
  authorizedFetch(key: TokenKey, input: string | URL, init?: AuthorizedRequestInit): Promise<Response>;
}

/**
 * Creates a source of the access tokens that Latchkey stores in Secrets Manager.
 * @throws {TypeError | RangeError} for an unknown or invalid option
 */
export function createTokenSource(options: TokenSourceOptions = {}): TokenSource {
  checkNames(options);
  const { prefix = DEFAULT_PREFIX, minValiditySec = DEFAULT_MIN_VALIDITY_SEC, tokenRefresh } = options;
  checkWhole('minValiditySec', minValiditySec, 0, MOST_MIN_VALIDITY_SEC);
  let { secretsManager, lambda } = options;
  const clock = options.clock ?? systemClock;
  const supply = new TokenSupply({
    secrets: new TokenSecretReader(
      () => (secretsManager ??= makeSecretsManager()),
      options.secretId ?? ((key) => tokenSecretName(prefix, key)),
      clock,
    ),
    tokenRefresh: new TokenRefreshFunction(
      () => (lambda ??= makeLambda()),
      typeof tokenRefresh === 'function' ? tokenRefresh : () => tokenRefresh,
      minValiditySec,
      clock,
    ),
    clock,
    random: options.random ?? Math.random,
    minValidityMs: Math.max(minValiditySec * 1000, 1),
    // A listener that throws or rejects must not break the source.
    onEvent: (event) => {
      new Promise((resolve) => resolve(options.onEvent?.(event))).catch(() => undefined);
    },
  });

  const waits = new SharedWaits<AccessToken>();
  function refuse(key: TokenKey, accessToken: string): void {
    if (supply.refuse(key, accessToken)) waits.forget(tokenKeyText(key));
  }

  async function obtain(unchecked: TokenKey, { refused, timeoutMs = DEFAULT_TIMEOUT_MS }: GetTokenOptions) {
    const key = checkTokenKey(unchecked);
    checkWhole('timeoutMs', timeoutMs, 1, MOST_TIMEOUT_MS);
    if (refused !== undefined) refuse(key, checkToken('refused', refused));
    const timeout = () => new TokenUnavailableError('timeout', key, `none within ${timeoutMs} ms`);
    return waits.share(tokenKeyText(key), timeoutMs, clock.monotonicMs(), () =>
      withinTime(supply.obtain(key), timeoutMs, clock, timeout),
    );
  }
  const getToken: TokenSource['getToken'] = (key, how) => {
    // Callers without types may pass anything; `obtain` rejects an invalid key.
    const isWarm = how?.refused === undefined && typeof key === 'object' && key !== null;
    const warm = isWarm ? supply.find(key) : undefined;
    return warm === undefined ? obtain(key, how ?? {}) : Promise.resolve(warm);
  };
  const send: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const tokens = {
    getToken,
    refuse: (key: TokenKey, accessToken: string) => refuse(checkTokenKey(key), accessToken),
    isNew: (key: TokenKey, accessToken: string) => supply.isNew(key, accessToken),
    ignoreRejections: (key: TokenKey, accessToken: string) => supply.ignoreRejections(key, accessToken),
  };
  return {
    getToken,
    authorizedFetch: (key, input, init) => authorizedFetch(tokens, send, key, input, init),
  };
}

/** Every option is optional, so without this check a misspelled one would go unnoticed. */
const OPTIONS: Record<keyof TokenSourceOptions, true> = {
  prefix: true,
  secretId: true,
  tokenRefresh: true,
  secretsManager: true,
  lambda: true,
  minValiditySec: true,
  fetch: true,
  clock: true,
  random: true,
  onEvent: true,
};

function checkNames(options: TokenSourceOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown === undefined) return;
  throw new TypeError(`options: found ${unknown}; allowed: ${Object.keys(OPTIONS).join(', ')}`);
}

function makeSecretsManager(): SecretsManagerClient {
  return new SecretsManagerClient({
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  });
}

/**
 * No retries in the SDK: the source repeats throttled invocations, and those that a wrong clock spoiled, itself. The
 * invocation has its own timeout.
 */
function makeLambda(): LambdaClient {
  return new LambdaClient({ maxAttempts: 1, requestHandler: { connectionTimeout: 1_000 } });
}

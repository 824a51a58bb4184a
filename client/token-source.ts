import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { DEFAULT_PREFIX, tokenSecretName } from '../core/secrets/secret-names';
import { type DeploymentKey, type TokenKey } from '../core/tokens/published-keys';
import { tokenKeyText } from '../core/tokens/token-key';
import { type AccessToken } from './access-token';
import { checkRegions, checkToken, checkTokenKey, checkWhole } from './argument-check';
import { authorizedFetch, type AuthorizedRequestInit } from './authorized-fetch';
import { type Clock, systemClock } from './clock';
import { renewalOf } from './renewal-event';
import { RegionalReader } from './regional-reader';
import { regionOf, TokenRefreshFunction } from './token-refresh-function';
import { TokenSecretReader } from './token-secret-reader';
import { type TokenSourceEvent, TokenSupply } from './token-supply';
import { TokenUnavailableError } from './token-unavailable-error';
import { SharedWaits, withinTime } from './waits';

const DEFAULT_MIN_VALIDITY_SEC = 60;
const MAX_MIN_VALIDITY_SEC = 600;
const DEFAULT_TIMEOUT_MS = 25_000;
const MAX_TIMEOUT_MS = 600_000;

/** Options of {@link createTokenSource}. All are optional. */
export interface TokenSourceOptions {
  /**
   * Prefix of the secret names, from the deployment's configuration.
   * @default 'latchkey'
   */
  prefix?: string | undefined;
  /**
   * Returns the id of the secret that holds a token, for example its full ARN if it is in another account.
   * @default the deployment's naming rule: `PREFIX/ENVIRONMENT/PLATFORMREGION/TENANT/token/INTERFACE/SCOPE` on the built-in platform
   */
  secretId?: ((key: TokenKey) => string) | undefined;
  /**
   * Name or ARN of the function token-refresh: the value of the SSM parameter
   * `/PREFIX/ENVIRONMENT/PLATFORMREGION/token-refresh-arn`. A string if all tokens belong to one deployment.
   * @default none: tokens are only read, which needs no permission except `secretsmanager:GetSecretValue`
   */
  tokenRefresh?: string | ((deploymentKey: DeploymentKey) => string | undefined) | undefined;
  /**
   * AWS regions to read from, in order: the deployment's and those of its `replicaRegions`. The next one is asked if one fails, or if
   * its token was refused or expires too soon. `tokenRefresh` must then be an ARN, and `AccessToken` says where it was read.
   * @default the process's region
   */
  regions?: readonly string[] | undefined;
  /** Returns the client for one of the `regions`. @default as for `secretsManager` */
  secretsManagerIn?: ((region: string) => Pick<SecretsManagerClient, 'send'>) | undefined;
  /** Not together with `regions`. @default a client with short timeouts, created on first use */
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
  /** An access token that the API refused. Another one is returned, or the same one if it cannot be replaced. */
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
  /**
   * Takes an event that Latchkey sent to EventBridge. If a token was renewed and an older one is in memory, the next
   * `getToken` reads the secret, and returns the older one only if that fails. Repeated and late events, those about other
   * tokens, from another account or AWS region than the secret's, and other events change nothing.
   * @param event the whole event, as EventBridge delivers it
   * @returns whether it changed anything
   * @throws {TypeError} for something that is no event of EventBridge
   */
  invalidate(event: unknown): boolean;
}

/**
 * Creates a source of the access tokens that Latchkey stores in Secrets Manager.
 * @throws {TypeError | RangeError} for an unknown or invalid option
 */
export function createTokenSource(options: TokenSourceOptions = {}): TokenSource {
  checkNames(options);
  const { prefix = DEFAULT_PREFIX, minValiditySec = DEFAULT_MIN_VALIDITY_SEC, tokenRefresh } = options;
  checkWhole('minValiditySec', minValiditySec, 0, MAX_MIN_VALIDITY_SEC);
  let { secretsManager } = options;
  const lambdas = new Map<string | undefined, LambdaClient>();
  const lambdaIn = (region: string | undefined) => {
    const client = lambdas.get(region) ?? makeLambda(region);
    lambdas.set(region, client);
    return client;
  };
  const clock = options.clock ?? systemClock;
  // A listener that throws or rejects must not break the source.
  const onEvent = (event: TokenSourceEvent) => {
    new Promise((resolve) => resolve(options.onEvent?.(event))).catch(() => undefined);
  };
  const secretIdOf = options.secretId ?? ((key: TokenKey) => tokenSecretName(prefix, key));
  const regional = regionalReader(options, secretIdOf, clock, onEvent);
  const nameOf = typeof tokenRefresh === 'function' ? tokenRefresh : () => tokenRefresh;
  const supply = new TokenSupply({
    secrets:
      regional ?? new TokenSecretReader(() => (secretsManager ??= makeSecretsManager()), secretIdOf, clock),
    tokenRefresh: new TokenRefreshFunction(
      (functionName) => options.lambda ?? lambdaIn(regional && regionOf(functionName)),
      nameOf,
      minValiditySec,
      clock,
      (region) => regional?.isAvoided(region) ?? false,
    ),
    clock,
    random: options.random ?? Math.random,
    minValidityMs: Math.max(minValiditySec * 1000, 1),
    regions: options.regions ?? [],
    onEvent,
  });

  const waits = new SharedWaits<AccessToken>();
  function refuse(key: TokenKey, accessToken: string): void {
    if (supply.refuse(key, accessToken)) waits.forget(tokenKeyText(key));
  }

  async function obtain(unchecked: TokenKey, { refused, timeoutMs = DEFAULT_TIMEOUT_MS }: GetTokenOptions) {
    const key = checkTokenKey(unchecked);
    checkWhole('timeoutMs', timeoutMs, 1, MAX_TIMEOUT_MS);
    if (refused !== undefined) refuse(key, checkToken('refused', refused));
    const timeout = () => new TokenUnavailableError('timeout', key, `none within ${timeoutMs} ms`);
    return waits.share(tokenKeyText(key), timeoutMs, clock.monotonicMs(), () =>
      withinTime(supply.obtain(key), timeoutMs, clock, timeout),
    );
  }
  const getToken: TokenSource['getToken'] = (key, tokenOptions) => {
    // Callers without types may pass anything; `obtain` rejects an invalid key.
    const isWarm = tokenOptions?.refused === undefined && typeof key === 'object' && key !== null;
    const warm = isWarm ? supply.find(key) : undefined;
    return warm === undefined ? obtain(key, tokenOptions ?? {}) : Promise.resolve(warm);
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
    invalidate: (event) => {
      const renewal = renewalOf(event, options.secretId === undefined ? prefix : undefined);
      return renewal !== undefined && supply.supersede(renewal);
    },
  };
}

/** Every option is optional, so without this check a misspelled one would go unnoticed. */
const OPTIONS: Record<keyof TokenSourceOptions, true> = {
  prefix: true,
  secretId: true,
  tokenRefresh: true,
  regions: true,
  secretsManagerIn: true,
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

/** Reads in several regions; undefined without the option. @throws {TypeError} */
function regionalReader(
  options: TokenSourceOptions,
  secretIdOf: (key: TokenKey) => string,
  clock: Clock,
  onEvent: (event: TokenSourceEvent) => void,
): RegionalReader | undefined {
  const { regions, secretsManagerIn = makeSecretsManager } = options;
  checkRegions(regions, options);
  if (regions === undefined) return undefined;
  const readers = regions.map((region) => {
    let client: Pick<SecretsManagerClient, 'send'> | undefined;
    const secretIdIn = (key: TokenKey) => secretIdInRegion(secretIdOf(key), region);
    return [
      region,
      new TokenSecretReader(() => (client ??= secretsManagerIn(region)), secretIdIn, clock, region),
    ] as const;
  });
  return new RegionalReader(new Map(readers), clock, (change) =>
    onEvent({ type: 'region_changed', ...change }),
  );
}

/** A replica's ARN differs in its region only. */
function secretIdInRegion(secretId: string, region: string): string {
  if (!secretId.startsWith('arn:')) return secretId;
  const [arn, partition, service, , ...rest] = secretId.split(':');
  return [arn, partition, service, region, ...rest].join(':');
}

function makeSecretsManager(region?: string): SecretsManagerClient {
  return new SecretsManagerClient({
    ...(region !== undefined && { region }),
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  });
}

/**
 * No retries in the SDK: the source repeats throttled invocations, and those that a wrong clock spoiled, itself. The
 * invocation has its own timeout.
 */
function makeLambda(region?: string): LambdaClient {
  return new LambdaClient({
    ...(region !== undefined && { region }),
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1_000 },
  });
}

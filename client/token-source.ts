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

/** Settings of a token source; each has a default. */
export interface TokenSourceOptions {
  /**
   * Prefix of the secrets' names, as the deployment has it.
   * @default 'latchkey'
   */
  prefix?: string | undefined;
  /**
   * Id of the secret that holds a token, such as its full ARN where it lies in another account.
   * @default the name by the deployment's rule, `PREFIX/ENVIRONMENT/PLATFORMREGION/TENANT/token/INTERFACE/SCOPE`
   */
  secretId?: ((key: TokenKey) => string) | undefined;
  /**
   * Name or ARN of the function token-refresh: the value of the SSM parameter
   * `/PREFIX/ENVIRONMENT/PLATFORMREGION/token-refresh-arn`. One text where all tokens are of one deployment.
   * @default none: tokens are only read, which needs no right but `secretsmanager:GetSecretValue`
   */
  tokenRefresh?: string | ((deploymentKey: DeploymentKey) => string | undefined) | undefined;
  /** @default a client with short timeouts, made when it is first needed */
  secretsManager?: Pick<SecretsManagerClient, 'send'> | undefined;
  /** @default a client with a timeout and no attempts of its own, made when it is first needed */
  lambda?: Pick<LambdaClient, 'send'> | undefined;
  /**
   * Least life of what is handed out, in whole seconds from 0 to 600. One that lives shorter is handed out all the same
   * while no better can be had, but never an expired one.
   * @default 60
   */
  minValiditySec?: number | undefined;
  /** What sends the requests of `authorizedFetch`. @default the global `fetch` */
  fetch?: typeof fetch | undefined;
  /** @default the machine's */
  clock?: Clock | undefined;
  /** A number in [0, 1), for jitter. @default Math.random */
  random?: (() => number) | undefined;
  /** Told what happens behind the callers' backs. What it throws is ignored. */
  onEvent?: ((event: TokenSourceEvent) => void) | undefined;
}

/** How one token is asked for. */
export interface GetTokenOptions {
  /** An access token that the platform refused: another one is wanted. It serves again only if no other can be had. */
  refused?: string | undefined;
  /**
   * How long to wait at most, in whole milliseconds from 1 to 600,000.
   * @default 25,000
   */
  timeoutMs?: number | undefined;
}

/** Access tokens that are never stale. Make one per process and keep it: it is what remembers tokens. */
export interface TokenSource {
  /**
   * A token that lives long enough. It comes from memory while that one is good; a renewal in its last 20 minutes keeps
   * nobody waiting. Of any number of callers who find none, one reads the secret and asks for a renewal.
   * @throws {TokenUnavailableError} `code` says what to do
   * @throws {TypeError | RangeError} for a key or option that no call could mean
   */
  getToken(key: TokenKey, options?: GetTokenOptions): Promise<AccessToken>;
  /**
   * `fetch` with the token as `Authorization: Bearer`. Only to https, and redirects are never followed: the answer is
   * the redirect itself, since a token must not go where it was not meant to.
   *
   * On 401 the token is reported as refused. The request is then repeated with the next token if that is safe: the
   * method is GET, HEAD or OPTIONS, or `refusalPrecedesProcessing` says that it is, and the body is not a stream.
   * Otherwise, or if no other token can be had, the answer is that 401, unread. A next token that has lain in the store
   * may be refused too, and is then replaced once more. If one that was made just now is refused for the same request,
   * the request is taken to be at fault: for 10 minutes no refusal of that token is believed.
   * @throws {TokenUnavailableError} where there is no token to begin with
   * @throws {TypeError} for a URL that is not https, and for an `authorization` header of the caller's own
   */
  authorizedFetch(key: TokenKey, input: string | URL, init?: AuthorizedRequestInit): Promise<Response>;
}

/**
 * Makes a source of access tokens that Latchkey keeps in Secrets Manager.
 * @throws {TypeError | RangeError} for an option out of range
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
    const timeout = () => new TokenUnavailableError('timeout', key, `none was had within ${timeoutMs} ms`);
    return waits.share(tokenKeyText(key), timeoutMs, clock.monotonicMs(), () =>
      withinTime(supply.obtain(key), timeoutMs, clock, timeout),
    );
  }
  const getToken: TokenSource['getToken'] = (key, how) => {
    // Callers without types may give anything: what is no key at all is refused where keys are checked.
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

/** Each setting has a default, so that a misspelt one would pass unseen. */
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

/** What follows a throttled invocation is ours: no attempts of the SDK's own. The invocation itself is bounded. */
function makeLambda(): LambdaClient {
  return new LambdaClient({ maxAttempts: 1, requestHandler: { connectionTimeout: 1_000 } });
}

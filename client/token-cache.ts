import { type TokenKey } from '../core/tokens/published-keys';
import { type AccessToken } from './access-token';
import { type Moment } from './clock';

/** A token as it was read, with its state in this process. */
export interface CachedToken {
  readonly key: TokenKey;
  readonly token: AccessToken;
  readonly sha256: string;
  /** Undefined if Secrets Manager did not say. */
  readonly versionId: string | undefined;
  /** ARN of the secret or replica that it was read from. Undefined if Secrets Manager did not say. */
  readonly secretArn: string | undefined;
  /** When the token expires, by our own clocks. */
  readonly expiry: Moment;
  /** No background renewal starts before this moment. */
  quietUntil: Moment;
  /** Until this moment it is served although it expires soon, because renewal just failed. */
  fallbackUntil: Moment;
  /** Whether an event said that another token is current: the next caller reads the secret. */
  isSuperseded: boolean;
}

/**
 * One token per key, in nested maps: joining the fields into one string would cost more than the rest of a warm
 * read.
 */
export class TokenCache {
  readonly #tenants: Level<Level<Level<Level<Level<Level<CachedToken>>>>>> = new Map();

  find(key: TokenKey): CachedToken | undefined {
    return this.#scopesOf(key)?.get(key.scope);
  }

  put(cached: CachedToken): void {
    const { issuer, tenantId, environment, platformRegion, interface: platformInterface, scope } = cached.key;
    const regions = getOrCreate(getOrCreate(getOrCreate(this.#tenants, tenantId), issuer), environment);
    const scopes = getOrCreate(getOrCreate(regions, platformRegion), platformInterface);
    scopes.set(scope, cached);
  }

  drop({ key }: CachedToken): void {
    this.#scopesOf(key)?.delete(key.scope);
  }

  #scopesOf(key: TokenKey): Level<CachedToken> | undefined {
    return this.#tenants
      .get(key.tenantId)
      ?.get(key.issuer)
      ?.get(key.environment)
      ?.get(key.platformRegion)
      ?.get(key.interface);
  }
}

type Level<Below> = Map<string | undefined, Below>;

function getOrCreate<T>(level: Level<Level<T>>, name: string | undefined): Level<T> {
  const found = level.get(name);
  if (found !== undefined) return found;
  const made: Level<T> = new Map();
  level.set(name, made);
  return made;
}

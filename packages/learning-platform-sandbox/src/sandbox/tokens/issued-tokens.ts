import { type Interface, type TenantReference } from '../deployment-key';
import { BoundedMap } from '../bounded';
import { digest, newSecret } from '../secrets';

/** @see platform specification, "Limits" */
export const ACCESS_TOKEN_LIFETIME_SEC = 3600;

/** What an access token grants, and to whom. */
export interface PlatformGrant extends TenantReference {
  readonly clientId: string;
  readonly interface: Interface;
  readonly scope: string;
}

/** Assumed, to bound memory. */
const MAX_TOKENS = 50_000;

/** The valid access tokens. */
export class AccessTokens<Grant extends { readonly clientId: string } = PlatformGrant> {
  readonly #byDigest: BoundedMap<string, Grant & { readonly expiresAtMs: number }>;
  readonly #lifetimeSec: number;

  /** @param maxTokens beyond this, the oldest token is dropped */
  constructor(maxTokens = MAX_TOKENS, lifetimeSec = ACCESS_TOKEN_LIFETIME_SEC) {
    this.#byDigest = new BoundedMap(maxTokens);
    this.#lifetimeSec = lifetimeSec;
  }

  /** Issues a token that is valid for the lifetime of all. */
  issue(grant: Grant, nowMs: number, token = newSecret()): string {
    this.#dropExpired(nowMs);
    this.#byDigest.set(digest(token), { ...grant, expiresAtMs: nowMs + this.#lifetimeSec * 1000 });
    return token;
  }

  /** Returns the grant, or undefined if the token is unknown, revoked or expired. */
  find(token: string, nowMs: number): (Grant & { readonly expiresAtMs: number }) | undefined {
    const grant = this.#byDigest.get(digest(token));
    return grant && nowMs < grant.expiresAtMs ? grant : undefined;
  }

  /** The newest of these grants, even if it has expired. */
  newest(matches: (grant: Grant) => boolean): Grant | undefined {
    return [...this.#byDigest.values()].reverse().find(matches);
  }

  /** Revokes a token. Returns whether it existed. */
  revoke(token: string): boolean {
    return this.#byDigest.delete(digest(token));
  }

  /** Revokes every token issued for a client credential. */
  revokeAllOf(clientId: string): void {
    for (const [key, grant] of this.#byDigest) if (grant.clientId === clientId) this.#byDigest.delete(key);
  }

  snapshot() {
    return { tokens: [...this.#byDigest] };
  }

  restore({ tokens }: ReturnType<AccessTokens<Grant>['snapshot']>): void {
    this.#byDigest.replaceAll(tokens);
  }

  /** Tokens are in order of expiry, so this stops at the first valid one. */
  #dropExpired(nowMs: number): void {
    for (const [key, { expiresAtMs }] of this.#byDigest) {
      if (nowMs < expiresAtMs) return;
      this.#byDigest.delete(key);
    }
  }
}

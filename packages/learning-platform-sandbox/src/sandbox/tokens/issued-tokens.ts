import { type Interface } from '../deployment-key';
import { BoundedMap } from '../bounded-map';
import { digest, newSecret } from '../secrets';
import { type CredentialOwner } from './client-credentials';

/** @see platform specification, "Limits" */
export const ACCESS_TOKEN_LIFETIME_SEC = 3600;

/** What an access token grants, and to whom. */
interface Grant extends CredentialOwner {
  readonly clientId: string;
  readonly interface: Interface;
  readonly scope: string;
}

/** Assumed, to bound memory. */
const MAX_TOKENS = 50_000;

/** The valid access tokens. */
export class AccessTokens {
  readonly #byDigest: BoundedMap<string, Grant & { readonly expiresAtMs: number }>;

  /** @param maxTokens beyond this, the oldest token is dropped */
  constructor(maxTokens = MAX_TOKENS) {
    this.#byDigest = new BoundedMap(maxTokens);
  }

  /** Issues a token that is valid for {@link ACCESS_TOKEN_LIFETIME_SEC}. */
  issue(grant: Grant, nowMs: number): string {
    this.#dropExpired(nowMs);
    const token = newSecret();
    this.#byDigest.set(digest(token), { ...grant, expiresAtMs: nowMs + ACCESS_TOKEN_LIFETIME_SEC * 1000 });
    return token;
  }

  /** Returns the grant, or undefined if the token is unknown, revoked or expired. */
  find(token: string, nowMs: number): Grant | undefined {
    const grant = this.#byDigest.get(digest(token));
    return grant && nowMs < grant.expiresAtMs ? grant : undefined;
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

  restore({ tokens }: ReturnType<AccessTokens['snapshot']>): void {
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

import { type Interface } from '../deployment-key';
import { BoundedMap } from '../bounded-map';
import { digest, newSecret } from '../secrets';
import { type CredentialOwner } from './client-credentials';

/** Life of an access token. @see platform specification, "Limits" */
export const ACCESS_TOKEN_LIFETIME_SEC = 3600;

/** What an access token is bound to. */
interface Grant extends CredentialOwner {
  readonly clientId: string;
  readonly interface: Interface;
  readonly scope: string;
}

/** So many tokens can be live at once; then the oldest is forgotten. Assumed, so that memory stays bounded. */
const MAX_TOKENS = 50_000;

/** The access tokens that were issued and are not expired. */
export class AccessTokens {
  readonly #byDigest = new BoundedMap<string, Grant & { readonly expiresAtMs: number }>(MAX_TOKENS);

  /** Issues a token that lives {@link ACCESS_TOKEN_LIFETIME_SEC} from now. */
  issue(grant: Grant, nowMs: number): string {
    this.#dropExpired(nowMs);
    const token = newSecret();
    this.#byDigest.set(digest(token), { ...grant, expiresAtMs: nowMs + ACCESS_TOKEN_LIFETIME_SEC * 1000 });
    return token;
  }

  /** What the token grants, unless it is unknown, revoked or expired. */
  find(token: string, nowMs: number): Grant | undefined {
    const grant = this.#byDigest.get(digest(token));
    return grant && nowMs < grant.expiresAtMs ? grant : undefined;
  }

  /** Ends a token. Returns whether there was one. */
  revoke(token: string): boolean {
    return this.#byDigest.delete(digest(token));
  }

  /** Ends every token that was minted from a client credential. */
  revokeAllOf(clientId: string): void {
    for (const [key, grant] of this.#byDigest) if (grant.clientId === clientId) this.#byDigest.delete(key);
  }

  /** Keeps memory bounded: oldest first, up to the first one that still lives. */
  #dropExpired(nowMs: number): void {
    for (const [key, { expiresAtMs }] of this.#byDigest) {
      if (nowMs < expiresAtMs) return;
      this.#byDigest.delete(key);
    }
  }
}

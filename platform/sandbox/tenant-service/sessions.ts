import { randomUUID } from 'node:crypto';
import { BoundedMap } from '../bounded-map';
import { digest, hasDigest, newSecret } from '../secrets';
import { type Tenant } from '../tenants';

/** So many sessions can be open at once; then the oldest is forgotten. */
const MAX_SESSIONS = 10_000;

/** A user who is logged in at the site of a tenant. */
interface Session {
  readonly tenant: Tenant;
  readonly isAdministrator: boolean;
  /** Digest of the correlation id that the browser sends with every request of the session. */
  readonly correlationDigest: string;
}

/** How a session is opened. */
interface SessionOptions {
  readonly isAdministrator: boolean;
  readonly validForSec: number;
}

/** The sessions of all sites. Several of one tenant can be open at once. */
export class Sessions {
  readonly #byDigest = new BoundedMap<string, Session & { readonly expiresAtMs: number }>(MAX_SESSIONS);

  /**
   * Logs a user in.
   * @returns the two headers of the browser's requests: the whole Authorization value, `Bearer ` included, and the
   *   correlation id, a UUID
   */
  open(tenant: Tenant, { isAdministrator, validForSec }: SessionOptions, nowMs: number) {
    const authorization = `Bearer ${newSecret()}`;
    const correlationId = randomUUID();
    this.#byDigest.set(digest(authorization), {
      tenant,
      isAdministrator,
      correlationDigest: digest(correlationId),
      expiresAtMs: nowMs + validForSec * 1000,
    });
    return { authorization, correlationId };
  }

  /** The session of a whole Authorization value, unless it is unknown or expired. */
  find(authorization: string | undefined, nowMs: number): Session | undefined {
    const session = authorization === undefined ? undefined : this.#byDigest.get(digest(authorization));
    return session && nowMs < session.expiresAtMs ? session : undefined;
  }

  /** Logs the user of a whole Authorization value out. Returns whether there was such a session. */
  close(authorization: string): boolean {
    return this.#byDigest.delete(digest(authorization));
  }
}

/** Whether the correlation id is that of the session. The case of a UUID's digits does not matter (RFC 9562, section 4). */
export function isCorrelated(session: Session, correlationId: string | undefined): boolean {
  return correlationId !== undefined && hasDigest(correlationId.toLowerCase(), session.correlationDigest);
}

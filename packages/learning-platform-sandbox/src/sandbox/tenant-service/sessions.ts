import { randomUUID } from 'node:crypto';
import { BoundedMap } from '../bounded';
import { digest, hasDigest, newSecret } from '../secrets';
import { type TenantReference } from '../deployment-key';

/** Assumed, to bound memory. */
const MAX_SESSIONS = 10_000;

interface Session {
  readonly tenant: TenantReference;
  readonly isAdministrator: boolean;
  /** Digest of the correlation id that the browser sends with every request. */
  readonly correlationDigest: string;
}

interface SessionOptions {
  readonly isAdministrator: boolean;
  readonly validForSec: number;
}

/** The sessions of all tenants. A tenant can have several. */
export class Sessions {
  readonly #byDigest: BoundedMap<string, Session & { readonly expiresAtMs: number }>;

  /** @param maxSessions beyond this, the oldest session is dropped */
  constructor(maxSessions = MAX_SESSIONS) {
    this.#byDigest = new BoundedMap(maxSessions);
  }

  /**
   * Logs a user in.
   * @returns the values of the browser's two headers: Authorization (including `Bearer `), and the correlation id, a UUID
   */
  open(
    { environment, platformRegion, tenantId }: TenantReference,
    { isAdministrator, validForSec }: SessionOptions,
    nowMs: number,
  ) {
    const authorization = `Bearer ${newSecret()}`;
    const correlationId = randomUUID();
    this.#byDigest.set(digest(authorization), {
      tenant: { environment, platformRegion, tenantId },
      isAdministrator,
      correlationDigest: digest(correlationId),
      expiresAtMs: nowMs + validForSec * 1000,
    });
    return { authorization, correlationId };
  }

  /** The session for an Authorization header, or undefined if it is unknown or expired. */
  find(authorization: string | undefined, nowMs: number): Session | undefined {
    const session = authorization === undefined ? undefined : this.#byDigest.get(digest(authorization));
    return session && nowMs < session.expiresAtMs ? session : undefined;
  }

  /** Closes the session for an Authorization header. Returns whether it existed. */
  close(authorization: string): boolean {
    return this.#byDigest.delete(digest(authorization));
  }

  snapshot() {
    return { sessions: [...this.#byDigest] };
  }

  restore({ sessions }: ReturnType<Sessions['snapshot']>): void {
    this.#byDigest.replaceAll(sessions);
  }
}

/** Whether the correlation id belongs to the session. UUIDs are case-insensitive (RFC 9562, section 4). */
export function isCorrelated(session: Session, correlationId: string | undefined): boolean {
  return correlationId !== undefined && hasDigest(correlationId.toLowerCase(), session.correlationDigest);
}

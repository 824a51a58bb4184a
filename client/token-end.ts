import { after, type Moment } from './clock';

/** A Date header has whole seconds: the time of the answer lies within the one that it names. */
const DATE_RESOLUTION_MS = 1_000;

/**
 * When a token ends, by our own clocks: its life is what Secrets Manager's clock leaves of it, counted from before the
 * secret was asked for. So nothing is served past its true expiry, and nothing good is thrown away, although our clock
 * is wrong, is set back later, or stands still while the process is frozen.
 * @param askedAt when the secret was asked for, which was before it was answered
 * @param serverDateMs the answer's Date header; our own clock counts only where there is none
 * @see RFC 9110, section 6.6.1 (Date)
 */
export function tokenEnd(expiresAtMs: number, askedAt: Moment, serverDateMs: number | undefined): Moment {
  const nowMs = serverDateMs === undefined ? askedAt.wallMs : serverDateMs + DATE_RESOLUTION_MS;
  return after(askedAt, expiresAtMs - nowMs);
}

import { after, type Moment } from './clock';

/** A Date header has whole seconds: the time of the answer lies within the one that it names. */
const DATE_RESOLUTION_MS = 1_000;

/**
 * When a token ends, by our own clocks. Nothing is then served past its true expiry although our clock is slow, is set
 * back later, or stands still while the process is frozen.
 * @param askedAt when the secret was asked for, which was before it was answered
 * @param serverDateMs the answer's Date header, where there is one; of the two times the later counts
 * @see RFC 9110, section 6.6.1 (Date)
 */
export function tokenEnd(expiresAtMs: number, askedAt: Moment, serverDateMs: number | undefined): Moment {
  const serverNowMs = serverDateMs === undefined ? -Infinity : serverDateMs + DATE_RESOLUTION_MS;
  return after(askedAt, expiresAtMs - Math.max(askedAt.wallMs, serverNowMs));
}

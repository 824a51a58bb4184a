import { after, type Moment } from './clock';

/** A Date header has whole seconds: the time of the answer lies within the one that it names. */
const DATE_RESOLUTION_MS = 1_000;

/**
 * When a token expires by our own clocks: its remaining life by Secrets Manager's clock, counted from before the secret
 * was requested. No token is served past its true expiry and no good one is dropped, even if our clock is wrong, is set
 * back later, or stands still while the process is frozen.
 * @param askedAt when the secret was asked for, which was before it was answered
 * @param serverDateMs the answer's Date header; our own clock counts only where there is none
 * @see RFC 9110, section 6.6.1 (Date)
 */
export function tokenExpiry(expiresAtMs: number, askedAt: Moment, serverDateMs: number | undefined): Moment {
  const nowMs = serverDateMs === undefined ? askedAt.wallMs : serverDateMs + DATE_RESOLUTION_MS;
  return after(askedAt, expiresAtMs - nowMs);
}

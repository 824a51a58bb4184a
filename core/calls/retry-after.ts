/** Upper limit for the wait that a Retry-After header asks for. */
export const MAX_RETRY_AFTER_MS = 60_000;

/**
 * The wait that a Retry-After header asks for, in ms, clamped to 0–60 s; undefined if it is missing or invalid.
 * @see RFC 9110, section 10.2.3: delay in seconds, or an HTTP-date
 */
export function parseRetryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_RETRY_AFTER_MS);
  const dateMs = parseHttpDateMs(text);
  if (dateMs === undefined) return undefined;
  return Math.min(Math.max(dateMs - nowMs, 0), MAX_RETRY_AFTER_MS);
}

/**
 * Parses an HTTP-date, to ms since the epoch; undefined if it is not in the preferred format.
 * @see RFC 9110, section 5.6.7 (IMF-fixdate)
 */
export function parseHttpDateMs(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) {
    return undefined;
  }
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Secrets Manager keeps every version younger than 24 h, and refuses writes at about 100, so writes are counted.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html (versions, LimitExceededException)
 */
const WINDOW_MS = 24 * 60 * 60 * 1000;

/** Writes in 24 h from which a forced renewal is refused, so that callers cannot use up what renewals need. */
const FORCED_WRITES_LIMIT = 50;
/** Writes in 24 h from which every write is refused, whatever happens. */
export const WRITES_LIMIT = 96;

/** Those of the write times, in ms, that still count. Times in the future (a clock set back) count too. */
export function recentWrites(writesMs: readonly number[], nowMs: number): number[] {
  return writesMs.filter((writeMs) => writeMs > nowMs - WINDOW_MS);
}

/**
 * When the next write is allowed, in ms since the epoch; undefined where it is allowed now.
 * @param isForced a caller said that the stored token was refused, though it has not run out
 */
export function nextWriteAllowedAtMs(
  writesMs: readonly number[],
  nowMs: number,
  isForced: boolean,
): number | undefined {
  const limit = isForced ? FORCED_WRITES_LIMIT : WRITES_LIMIT;
  const recent = recentWrites(writesMs, nowMs).sort((a, b) => a - b);
  if (recent.length < limit) return undefined;
  return recent[recent.length - limit]! + WINDOW_MS;
}

/**
 * Secrets Manager keeps every version for 24 h and refuses writes at about 100 versions, so each secret has a write budget.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html (versions, LimitExceededException)
 */
const WINDOW_MS = 24 * 60 * 60 * 1000;

/** Maximum writes in 24 h for a forced renewal, so that callers and herds cannot use up the budget of regular renewals. */
const MAX_FORCED_WRITES = 50;
/** Maximum writes in 24 h for any renewal. */
export const MAX_WRITES = 96;

/**
 * The write times that still count, in ms since the epoch. Those of the next day count too: the clock may have been set back.
 * Later ones, which someone else wrote, would block renewals for good.
 */
export function recentWrites(writesMs: readonly number[], nowMs: number): number[] {
  return writesMs.filter((writeMs) => writeMs > nowMs - WINDOW_MS && writeMs <= nowMs + WINDOW_MS);
}

/**
 * When the next write is allowed, in ms since the epoch; undefined if it is allowed now.
 * @param isForced whether the token is not due: a caller reported it as refused, or it is renewed ahead of time
 */
export function nextWriteAllowedAtMs(
  writesMs: readonly number[],
  nowMs: number,
  isForced: boolean,
): number | undefined {
  const limit = isForced ? MAX_FORCED_WRITES : MAX_WRITES;
  const recent = recentWrites(writesMs, nowMs).sort((a, b) => a - b);
  if (recent.length < limit) return undefined;
  return recent[recent.length - limit]! + WINDOW_MS;
}

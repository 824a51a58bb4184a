/**
 * When the current version of a credential secret became current, in ms since the epoch: at the rotation that promoted
 * it, or at its creation. A version that was staged first is older than its promotion, so its creation alone would make
 * a credential too old and end the grace of its predecessor too early.
 * @param lastRotatedMs LastRotatedDate of `DescribeSecret`; absent where nothing was ever rotated
 * @param createdMs CreatedDate of the version
 * @returns undefined where neither is known
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DescribeSecret.html (LastRotatedDate)
 */
export function currentSinceMs(
  lastRotatedMs: number | undefined,
  createdMs: number | undefined,
): number | undefined {
  if (lastRotatedMs === undefined || createdMs === undefined) return lastRotatedMs ?? createdMs;
  return Math.max(lastRotatedMs, createdMs);
}

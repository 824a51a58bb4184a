/**
 * When the current version of a credential secret became current, in ms since the epoch: at the rotation that promoted
 * it, or at its creation. CreatedDate alone is too early for a staged version: the credential would look too old, and
 * the previous API key's grace period would end too soon.
 * @param lastRotatedMs LastRotatedDate of `DescribeSecret`; undefined if the secret was never rotated
 * @param createdMs CreatedDate of the version
 * @returns undefined if neither is known
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DescribeSecret.html (LastRotatedDate)
 */
export function currentSinceMs(
  lastRotatedMs: number | undefined,
  createdMs: number | undefined,
): number | undefined {
  if (lastRotatedMs === undefined || createdMs === undefined) return lastRotatedMs ?? createdMs;
  return Math.max(lastRotatedMs, createdMs);
}

/**
 * Whether a former version of a secret was not revoked: it holds AWSPREVIOUS, or no label while another version holds
 * AWSPREVIOUS, because two later values pushed it out. `credentials revoke-previous` leaves no AWSPREVIOUS behind.
 * @param labels by version id, as DescribeSecret returns them: versions without labels are left out
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html (AWSPREVIOUS moves along)
 */
export function isUnrevoked(versionId: string, labels: Readonly<Record<string, readonly string[]>>): boolean {
  const own = labels[versionId] ?? [];
  if (own.includes('AWSCURRENT')) return false;
  if (own.includes('AWSPREVIOUS')) return true;
  return own.length === 0 && versionIdWith('AWSPREVIOUS', labels) !== undefined;
}

/** Id of the version with this label. */
export function versionIdWith(
  label: string,
  labels: Readonly<Record<string, readonly string[]>>,
): string | undefined {
  return Object.entries(labels).find(([, stages]) => stages.includes(label))?.[0];
}

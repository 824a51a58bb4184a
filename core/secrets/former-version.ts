/** The staging labels of a secret by version id, as DescribeSecret returns them: versions without labels are left out. */
export type Labels = ReadonlyMap<string, readonly string[]>;

/** The version with a label. */
export function holderOf(labels: Labels, label: string): string | undefined {
  return [...labels].find(([, on]) => on.includes(label))?.[0];
}

/**
 * Whether a version that was in use was replaced and not revoked: it holds AWSPREVIOUS, or another version does, because two
 * later values pushed it out. `credentials revoke-previous` leaves no AWSPREVIOUS behind. A version in rotation was not in use.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html (AWSPREVIOUS moves along)
 */
export function isFormerUnrevoked(versionId: string, labels: Labels): boolean {
  const held = labels.get(versionId) ?? [];
  if (held.includes('AWSCURRENT')) return false;
  if (held.includes('AWSPREVIOUS')) return true;
  return !held.includes('AWSPENDING') && holderOf(labels, 'AWSPREVIOUS') !== undefined;
}

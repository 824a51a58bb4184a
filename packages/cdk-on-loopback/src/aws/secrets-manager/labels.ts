import { type Secret, type SecretVersion } from '../../account';
import { limitExceeded } from '../aws-error';

const MAX_LABELS = 20;

/** The version with a staging label. */
export function holderOf(secret: Secret, label: string): SecretVersion | undefined {
  return [...secret.versions.values()].find(({ stages }) => stages.has(label));
}

/** A version's labels as AWS lists them: sorted, absent if it has none. */
export function labelsOf({ stages }: SecretVersion): string[] | undefined {
  return stages.size > 0 ? [...stages].sort() : undefined;
}

/**
 * Moves a label to a version. When AWSCURRENT moves, the version that loses it gets AWSPREVIOUS.
 * @see API_UpdateSecretVersionStage, API_PutSecretValue
 */
export function moveLabel(secret: Secret, label: string, target: SecretVersion): void {
  const holder = holderOf(secret, label);
  if (holder === target) return;
  holder?.stages.delete(label);
  target.stages.add(label);
  if (label === 'AWSCURRENT' && holder) moveLabel(secret, 'AWSPREVIOUS', holder);
}

/**
 * The version of an unfinished rotation: it has AWSPENDING but not AWSCURRENT.
 * @see API_RotateSecret
 */
export function unfinishedVersion(secret: Secret): SecretVersion | undefined {
  const pending = holderOf(secret, 'AWSPENDING');
  return pending?.stages.has('AWSCURRENT') ? undefined : pending;
}

/** @throws {AwsError} LimitExceededException if the secret would have more than 20 labels */
export function requireLabelsWithinQuota(secret: Secret, added: readonly string[]): void {
  const labels = new Set([...secret.versions.values()].flatMap(({ stages }) => [...stages]).concat(added));
  if (labels.size > MAX_LABELS) {
    throw limitExceeded(`A secret can have ${MAX_LABELS} staging labels over all its versions.`);
  }
}

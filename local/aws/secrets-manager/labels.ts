import { type Secret, type SecretVersion } from '../../account';
import { AwsError } from '../aws-error';

const MAX_LABELS = 20;

/** The version that holds a staging label. */
export function holderOf(secret: Secret, label: string): SecretVersion | undefined {
  return [...secret.versions.values()].find(({ stages }) => stages.has(label));
}

/**
 * Attaches a label to a version and takes it from the version that held it. When AWSCURRENT leaves a version, AWSPREVIOUS goes there.
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
 * The version of a rotation that did not end: it has AWSPENDING, and not AWSCURRENT.
 * @see API_RotateSecret
 */
export function unfinishedVersion(secret: Secret): SecretVersion | undefined {
  const pending = holderOf(secret, 'AWSPENDING');
  return pending?.stages.has('AWSCURRENT') ? undefined : pending;
}

/** @throws {AwsError} LimitExceededException when these labels would make more than 20 over all versions. */
export function requireLabelsWithinQuota(secret: Secret, added: readonly string[]): void {
  const labels = new Set([...secret.versions.values()].flatMap(({ stages }) => [...stages]).concat(added));
  if (labels.size > MAX_LABELS) {
    throw new AwsError(
      'LimitExceededException',
      `A secret can have ${MAX_LABELS} staging labels over all its versions.`,
    );
  }
}

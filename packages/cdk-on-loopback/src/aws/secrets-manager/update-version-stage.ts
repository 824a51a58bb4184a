import { type Secret, type SecretVersion } from '../../account';
import { invalidParameter, invalidRequest, resourceNotFound } from '../aws-error';
import { type Operation } from '../operation';
import { openSecret, requireNotDeleted } from './find-secret';
import { holderOf, moveLabel, requireLabelsWithinQuota } from './labels';
import { hasValue } from './secret-versions';

/**
 * Moves, attaches or removes a staging label, if it is on the version that the caller names.
 * @see API_UpdateSecretVersionStage
 */
export const updateSecretVersionStage: Operation = {
  parameters: ['SecretId', 'VersionStage', 'RemoveFromVersionId', 'MoveToVersionId'],
  run(input, call) {
    const label = input.text('VersionStage', { max: 256 });
    const from = input.optionalText('RemoveFromVersionId', { min: 32, max: 64 });
    const to = input.optionalText('MoveToVersionId', { min: 32, max: 64 });
    const secret = openSecret(input, call, 'UpdateSecretVersionStage', {
      'secretsmanager:VersionStage': label,
    });
    requireNotDeleted(secret);
    if (from === undefined && to === undefined) {
      throw invalidParameter('You must specify MoveToVersionId, RemoveFromVersionId, or both.');
    }

    const target = to === undefined ? undefined : findVersion(secret, to);
    requireLabelAt(secret, label, from, target);
    if (!target) removeLabel(secret, label);
    else {
      requireLabelsWithinQuota(secret, [label]);
      requireValueForCurrent(label, target);
      moveLabel(secret, label, target);
    }
    secret.lastChangedAtMs = call.clock.nowMs();
    return { ARN: secret.arn, Name: secret.name };
  },
};

function findVersion(secret: Secret, versionId: string): SecretVersion {
  const version = secret.versions.get(versionId);
  if (version) return version;
  throw resourceNotFound(`Secrets Manager can't find the specified secret value for VersionId: ${versionId}`);
}

/** Requires that the label is on the version that the caller names. */
function requireLabelAt(
  secret: Secret,
  label: string,
  from: string | undefined,
  target: SecretVersion | undefined,
): void {
  const holder = holderOf(secret, label);
  if (from === undefined) {
    if (!holder || holder === target) return;
    throw invalidParameter(
      `The parameter RemoveFromVersionId can't be empty. Staging label ${label} is currently attached to version ` +
        `${holder.versionId}, so you must explicitly reference that version in RemoveFromVersionId.`,
    );
  }
  if (holder?.versionId === from) return;
  throw invalidParameter(
    `The parameter RemoveFromVersionId must be the version that staging label ${label} is attached to` +
      (holder ? `, which is ${holder.versionId}.` : ', and it is attached to none.'),
  );
}

function removeLabel(secret: Secret, label: string): void {
  if (label === 'AWSCURRENT') {
    throw invalidParameter(
      "You can only move staging label AWSCURRENT to a different secret version. It can't be completely removed.",
    );
  }
  holderOf(secret, label)?.stages.delete(label);
}

/** Rejects AWSCURRENT on a version without a value. AWS does not document what it does here. */
function requireValueForCurrent(label: string, version: SecretVersion): void {
  if (label !== 'AWSCURRENT' || hasValue(version)) return;
  throw invalidRequest('AWSCURRENT can not be attached to a version without a value.');
}

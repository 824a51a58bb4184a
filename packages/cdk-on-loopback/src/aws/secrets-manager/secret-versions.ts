import { type Secret, type SecretVersion } from '../../account';
import { AwsError, invalidParameter, limitExceeded } from '../aws-error';
import { type Input } from '../input';
import { moveLabel, requireLabelsWithinQuota } from './labels';

const MAX_VERSIONS = 100;
const KEPT_ALWAYS_MS = 24 * 60 * 60 * 1000;

/**
 * The id for the version that a request creates: its `ClientRequestToken`, which SDKs always send.
 * @throws {AwsError} `missingCode` if it is missing, InvalidParameterException if its length is wrong
 * @see https://github.com/aws/aws-sdk-js-v3/issues/4640 (the error if it is missing)
 */
export function readVersionId(input: Input, missingCode = 'InvalidRequestException'): string {
  const token = input.optionalText('ClientRequestToken', { min: 0 });
  if (token === undefined) {
    throw new AwsError(
      missingCode,
      'You must provide a ClientRequestToken value. We recommend a UUID-type value.',
    );
  }
  if (token.length >= 32 && token.length <= 64) return token;
  throw invalidParameter('ClientRequestToken must be 32-64 characters long.');
}

/**
 * Adds a version without a value or labels.
 * @throws {AwsError} LimitExceededException if no older version may be removed
 * @see API_PutSecretValue, reference_limits
 */
export function addVersion(secret: Secret, versionId: string, nowMs: number): SecretVersion {
  makeRoom(secret, nowMs);
  const version: SecretVersion = { versionId, createdAtMs: nowMs, stages: new Set() };
  secret.versions.set(versionId, version);
  return version;
}

/**
 * Adds the version for a new rotation: without a value, with AWSPENDING.
 * @throws {AwsError} LimitExceededException
 * @see API_RotateSecret
 */
export function addPendingVersion(secret: Secret, versionId: string, nowMs: number): SecretVersion {
  requireLabelsWithinQuota(secret, ['AWSPENDING']);
  const version = addVersion(secret, versionId, nowMs);
  moveLabel(secret, 'AWSPENDING', version);
  secret.lastChangedAtMs = nowMs;
  return version;
}

/** Whether a version has a value. One that a rotation has just created has none. */
export function hasValue({ secretString, secretBinary }: Partial<SecretVersion>): boolean {
  return secretString !== undefined || secretBinary !== undefined;
}

/** Removes versions above the limit of about 100, but only those without labels and older than 24 hours. */
function makeRoom(secret: Secret, nowMs: number): void {
  for (const { versionId, stages, createdAtMs } of secret.versions.values()) {
    if (secret.versions.size < MAX_VERSIONS) return;
    if (stages.size === 0 && nowMs - createdAtMs > KEPT_ALWAYS_MS) secret.versions.delete(versionId);
  }
  if (secret.versions.size >= MAX_VERSIONS) {
    throw limitExceeded(
      `The secret has ${secret.versions.size} versions, and none that is without a label and older than 24 hours.`,
    );
  }
}

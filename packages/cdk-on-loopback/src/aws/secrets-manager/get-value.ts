import { type Secret, type SecretVersion } from '../../account';
import { AwsError } from '../aws-error';
import { type Call, epochSec, type Operation } from '../operation';
import { openSecret, requireNotDeleted } from './find-secret';
import { requireDecryption } from './key-access';
import { holderOf, labelsOf } from './labels';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the value of one version: by id, by staging label, or else of AWSCURRENT.
 * @see API_GetSecretValue
 */
export const getSecretValue: Operation = {
  parameters: ['SecretId', 'VersionId', 'VersionStage'],
  run(input, call) {
    const versionId = input.optionalText('VersionId', { min: 32, max: 64 });
    const stage = input.optionalText('VersionStage', { max: 256 }) ?? (versionId ? undefined : 'AWSCURRENT');
    const secret = openSecret(input, call, 'GetSecretValue', {
      ...(versionId ? { 'secretsmanager:VersionId': versionId } : {}),
      ...(stage ? { 'secretsmanager:VersionStage': stage } : {}),
    });
    return readValue(call, secret, versionId, stage);
  },
};

/** The value of a version, for a caller who may read the secret. @throws {AwsError} */
export function readValue(
  call: Call,
  secret: Secret,
  versionId: string | undefined,
  stage: string | undefined,
): object {
  requireNotDeleted(secret);
  const version = findVersion(secret, versionId, stage);
  requireDecryption(call, secret, version);
  const nowMs = call.clock.nowMs();
  // AWS keeps the day, without the time.
  secret.lastAccessedAtMs = version.lastAccessedAtMs = nowMs - (nowMs % DAY_MS);
  return {
    ARN: secret.arn,
    Name: secret.name,
    VersionId: version.versionId,
    SecretString: version.secretString,
    SecretBinary: version.secretBinary?.toString('base64'),
    VersionStages: labelsOf(version),
    CreatedDate: epochSec(version.createdAtMs),
  };
}

function findVersion(
  secret: Secret,
  versionId: string | undefined,
  stage: string | undefined,
): SecretVersion {
  const version = versionId === undefined ? holderOf(secret, stage ?? '') : secret.versions.get(versionId);
  if (version && stage !== undefined && !version.stages.has(stage)) {
    throw new AwsError(
      'InvalidRequestException',
      'You provided a VersionStage that is not associated to the provided VersionId.',
    );
  }
  // A version that a rotation left without a value is reported as not found.
  if (!version || (version.secretString === undefined && version.secretBinary === undefined)) {
    const what = versionId === undefined ? `staging label: ${stage}` : `VersionId: ${versionId}`;
    throw new AwsError(
      'ResourceNotFoundException',
      `Secrets Manager can't find the specified secret value for ${what}`,
    );
  }
  return version;
}

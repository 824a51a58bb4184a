import { type Secret, type SecretVersion } from '../../account';
import { AwsError } from '../aws-error';
import { type Input } from '../input';
import { type Call, type Operation } from '../operation';
import { openSecret, requireNotDeleted } from './find-secret';
import { keyOf, requireKeyAccess } from './key-access';
import { holderOf, labelsOf, moveLabel, requireLabelsWithinQuota } from './labels';
import { addVersion, readVersionId } from './secret-versions';

/** @see reference_limits */
const MAX_VALUE_BYTES = 65_536;

/** The value of a version: a text or bytes. */
export type NewValue = Pick<SecretVersion, 'secretString' | 'secretBinary'>;

/**
 * Adds a version with the request's token as its id. A repeated token has no effect with the same value, and fails with another.
 * @see API_PutSecretValue
 */
export const putSecretValue: Operation = {
  parameters: [
    'SecretId',
    'ClientRequestToken',
    'SecretString',
    'SecretBinary',
    'VersionStages',
    'RotationToken',
  ],
  run(input, call) {
    const versionId = readVersionId(input);
    const asked = input.optionalTexts('VersionStages', { min: 1, max: 20 });
    const value = readNewValue(input);
    if (!value)
      throw new AwsError(
        'InvalidParameterException',
        'You must provide either SecretString or SecretBinary.',
      );
    // AWS validates it for a role that the rotation function assumes; here no role is assumed.
    input.optionalText('RotationToken', { min: 36, max: 256 });
    const secret = openSecret(
      input,
      call,
      'PutSecretValue',
      asked ? { 'secretsmanager:VersionStage': asked } : {},
    );
    requireNotDeleted(secret);
    const version = putVersion(secret, versionId, value, asked ?? ['AWSCURRENT'], call);
    return { ARN: secret.arn, Name: secret.name, VersionId: versionId, VersionStages: labelsOf(version) };
  },
};

/**
 * Adds a version with labels for a caller who may use the key, or finds it if it exists with the same value.
 * @throws {AwsError} ResourceExistsException if it exists with another value; AccessDeniedException, LimitExceededException
 */
export function putVersion(
  secret: Secret,
  versionId: string,
  value: NewValue,
  labels: readonly string[],
  call: Call,
  key = keyOf(secret),
): SecretVersion {
  requireKeyAccess(call, secret, versionId, ['kms:GenerateDataKey', 'kms:Decrypt'], key);
  const existing = secret.versions.get(versionId);
  if (!existing || !hasValue(existing)) {
    const version = write(secret, existing, versionId, value, labels, call);
    version.keys = [key];
    return version;
  }
  if (isSameValue(existing, value)) return existing;
  throw new AwsError(
    'ResourceExistsException',
    `You can't use ClientRequestToken ${versionId} because that value is already in use for a version of secret ${secret.arn}.`,
  );
}

/**
 * The value in a request, if it has one.
 * @throws {AwsError} ValidationException if it is too long, InvalidParameterException if there are two
 * @see https://github.com/kubernetes-sigs/cluster-api-provider-aws/issues/1531
 * @see https://github.com/aws/aws-sdk-java/issues/1556
 */
export function readNewValue(input: Input): NewValue | undefined {
  const secretString = input.optionalText('SecretString', { max: MAX_VALUE_BYTES, inBytes: true });
  const secretBinary = input.optionalBytes('SecretBinary', { max: MAX_VALUE_BYTES });
  if (secretString === undefined) return secretBinary && { secretBinary };
  if (secretBinary === undefined) return { secretString };
  throw new AwsError(
    'InvalidParameterException',
    "You can't specify both a binary secret value and a string secret value in the same secret.",
  );
}

function write(
  secret: Secret,
  empty: SecretVersion | undefined,
  versionId: string,
  value: NewValue,
  asked: readonly string[],
  call: Call,
): SecretVersion {
  const nowMs = call.clock.nowMs();
  // A secret's first version becomes current, whatever labels are requested.
  const labels = secret.versions.size === 0 ? [...asked, 'AWSCURRENT'] : asked;
  requireLabelsWithinQuota(secret, labels);
  const version = empty ?? addVersion(secret, versionId, nowMs);
  Object.assign(version, value);
  const former = holderOf(secret, 'AWSCURRENT');
  for (const label of labels) moveLabel(secret, label, version);
  // Recorded for PutSecretValue alone: LocalStack's test_update_secret_version_stages_current_pending.
  if (version.stages.has('AWSCURRENT') && former !== version) former?.stages.delete('AWSPENDING');
  secret.lastChangedAtMs = nowMs;
  if (labels.includes('AWSCURRENT')) call.rotator.valuePut(secret);
  return version;
}

function hasValue({ secretString, secretBinary }: NewValue): boolean {
  return secretString !== undefined || secretBinary !== undefined;
}

function isSameValue(a: NewValue, b: NewValue): boolean {
  if (a.secretBinary && b.secretBinary) return a.secretBinary.equals(b.secretBinary);
  return a.secretString === b.secretString && a.secretBinary === b.secretBinary;
}

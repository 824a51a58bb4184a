import { type Secret, type SecretVersion } from '../../account';
import { requireAllowed } from '../../iam/authorize';
import { AwsError, invalidParameter, invalidRequest, resourceNotFound } from '../aws-error';
import { type Input } from '../input';
import { type Call, epochSec, type Operations } from '../operation';
import { findSecret, notFound, openSecret, requireNotDeleted, requireSecretAllowed } from './find-secret';
import { keyOf, requireDecryption, requireKeyAccess } from './key-access';
import { holderOf, labelsOf, moveLabel, requireLabelsWithinQuota } from './labels';
import { addVersion, hasValue, readVersionId } from './secret-versions';

const DAY_MS = 24 * 60 * 60 * 1000;
/** @see reference_limits */
const MAX_VALUE_BYTES = 65_536;

/** The operations on the values of secrets. */
export const VALUE_OPERATIONS: Operations = {
  /** Returns the value of one version: by id, by staging label, or else of AWSCURRENT. */
  GetSecretValue: {
    parameters: ['SecretId', 'VersionId', 'VersionStage'],
    run(input, call) {
      const versionId = input.optionalText('VersionId', { min: 32, max: 64 });
      const stage =
        input.optionalText('VersionStage', { max: 256 }) ?? (versionId ? undefined : 'AWSCURRENT');
      const secret = openSecret(input, call, 'GetSecretValue', {
        'secretsmanager:VersionId': versionId,
        'secretsmanager:VersionStage': stage,
      });
      return readValue(call, secret, versionId, stage);
    },
  },

  /**
   * Reads the current values of up to 20 secrets. A value that the caller may not read, or that is missing, is an entry in
   * `Errors`.
   * @see API_BatchGetSecretValue (permissions: also GetSecretValue on each secret)
   */
  BatchGetSecretValue: {
    parameters: ['SecretIdList'],
    run(input, call) {
      const ids = input.optionalTexts('SecretIdList', { min: 1, max: 20 });
      requireAllowed(call, { action: 'secretsmanager:BatchGetSecretValue', resource: '*' });
      if (ids === undefined) throw invalidParameter("'SecretIdList' must be provided.");
      const read = ids.map((secretId) => readOne(secretId, call));
      return {
        SecretValues: read.flatMap(({ value }) => value ?? []),
        Errors: read.flatMap(({ error }) => error ?? []),
      };
    },
  },

  /**
   * Adds a version with the request's token as its id. A repeated token has no effect with the same value, and fails with another.
   */
  PutSecretValue: {
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
      const labels = input.optionalTexts('VersionStages', { min: 1, max: 20 });
      const value = readNewValue(input);
      if (!value) throw invalidParameter('You must provide either SecretString or SecretBinary.');
      // AWS validates it for a role that the rotation function assumes; here no role is assumed.
      input.optionalText('RotationToken', { min: 36, max: 256 });
      const secret = openSecret(input, call, 'PutSecretValue', { 'secretsmanager:VersionStage': labels });
      requireNotDeleted(secret);
      const version = putVersion(secret, versionId, value, labels ?? ['AWSCURRENT'], call);
      return { ARN: secret.arn, Name: secret.name, VersionId: versionId, VersionStages: labelsOf(version) };
    },
  },
};

/** The value of a version, for a caller who may read the secret. @throws {AwsError} */
function readValue(
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
    throw invalidRequest('You provided a VersionStage that is not associated to the provided VersionId.');
  }
  // A version that a rotation left without a value is reported as not found.
  if (!version || !hasValue(version)) {
    const what = versionId === undefined ? `staging label: ${stage}` : `VersionId: ${versionId}`;
    throw resourceNotFound(`Secrets Manager can't find the specified secret value for ${what}`);
  }
  return version;
}

function readOne(secretId: string, call: Call): { value?: object; error?: object } {
  try {
    const secret = findSecret(call, secretId);
    requireSecretAllowed(call, secretId, secret, 'GetSecretValue', {
      'secretsmanager:VersionStage': 'AWSCURRENT',
    });
    if (!secret) throw notFound();
    return { value: readValue(call, secret, undefined, 'AWSCURRENT') };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return { error: { SecretId: secretId, ErrorCode: error.code, Message: error.message } };
  }
}

export type NewValue = Pick<SecretVersion, 'secretString' | 'secretBinary'>;

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
    const version = writeVersion(secret, versionId, value, labels, call);
    version.keyIds = [key];
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
  throw invalidParameter(
    "You can't specify both a binary secret value and a string secret value in the same secret.",
  );
}

/** Adds a version, or writes the value of one that a rotation has left without a value. */
function writeVersion(
  secret: Secret,
  versionId: string,
  value: NewValue,
  requestedLabels: readonly string[],
  call: Call,
): SecretVersion {
  const nowMs = call.clock.nowMs();
  // A secret's first version becomes current, whatever labels are requested.
  const labels = secret.versions.size === 0 ? [...requestedLabels, 'AWSCURRENT'] : requestedLabels;
  requireLabelsWithinQuota(secret, labels);
  const version = secret.versions.get(versionId) ?? addVersion(secret, versionId, nowMs);
  Object.assign(version, value);
  const former = holderOf(secret, 'AWSCURRENT');
  for (const label of labels) moveLabel(secret, label, version);
  // Recorded for PutSecretValue alone: LocalStack's test_update_secret_version_stages_current_pending.
  // The version that was current loses AWSPENDING, too.
  if (version.stages.has('AWSCURRENT') && former !== version) former?.stages.delete('AWSPENDING');
  secret.lastChangedAtMs = nowMs;
  if (labels.includes('AWSCURRENT')) call.rotator.valuePut(secret);
  return version;
}

function isSameValue(a: NewValue, b: NewValue): boolean {
  if (a.secretBinary && b.secretBinary) return a.secretBinary.equals(b.secretBinary);
  return a.secretString === b.secretString && a.secretBinary === b.secretBinary;
}

import { type Secret, type SecretVersion } from '../../account';
import { epochSec, type Operation } from '../operation';
import { pageOf } from '../paging';
import { openSecret } from './find-secret';
import { DEFAULT_KEY, keyOf } from './key-access';
import { labelsOf } from './labels';
import { replicationSummary } from './replication';

/** @see API_DescribeSecret */
export const describeSecret: Operation = {
  parameters: ['SecretId'],
  run(input, call) {
    const secret = openSecret(input, call, 'DescribeSecret');
    return {
      ...summary(secret),
      ...replicationSummary(call.account, secret),
      VersionIdsToStages: versionsToStages(secret),
    };
  },
};

/** @see API_ListSecretVersionIds */
export const listSecretVersionIds: Operation = {
  parameters: ['SecretId', 'MaxResults', 'NextToken', 'IncludeDeprecated'],
  run(input, call) {
    const secret = openSecret(input, call, 'ListSecretVersionIds');
    const includesDeprecated = input.optionalBoolean('IncludeDeprecated') ?? false;
    const page = pageOf(
      [...secret.versions.values()].filter(({ stages }) => includesDeprecated || stages.size > 0),
      input.optionalInteger('MaxResults', { min: 1, max: 100 }) ?? 100,
      input.optionalText('NextToken'),
      'InvalidNextTokenException',
    );
    return {
      ARN: secret.arn,
      Name: secret.name,
      Versions: page.items.map((version) => ({
        VersionId: version.versionId,
        VersionStages: labelsOf(version),
        CreatedDate: epochSec(version.createdAtMs),
        LastAccessedDate: dateOf(version.lastAccessedAtMs),
        KmsKeyIds: kmsKeyIds(secret, version),
      })),
      NextToken: page.nextToken,
    };
  },
};

/** What DescribeSecret and ListSecrets tell of a secret, without its versions. */
export function summary(secret: Secret): object {
  return {
    ARN: secret.arn,
    Name: secret.name,
    Description: secret.description,
    KmsKeyId: secret.kmsKeyArn,
    ...rotationSummary(secret),
    CreatedDate: epochSec(secret.createdAtMs),
    LastChangedDate: epochSec(secret.lastChangedAtMs),
    LastAccessedDate: dateOf(secret.lastAccessedAtMs),
    DeletedDate: dateOf(secret.deletedAtMs),
    Tags: tagsOf(secret),
  };
}

/** Leaves out the dates while rotation is off, as AWS does. */
function rotationSummary({ rotation }: Secret): object {
  if (!rotation) return {};
  const { lambdaArn, rules, isEnabled, lastRotatedAtMs, nextRotationAtMs } = rotation;
  return {
    RotationEnabled: isEnabled,
    RotationLambdaARN: lambdaArn,
    RotationRules: {
      AutomaticallyAfterDays: rules.automaticallyAfterDays,
      Duration: rules.duration,
      ScheduleExpression: rules.scheduleExpression,
    },
    LastRotatedDate: isEnabled ? dateOf(lastRotatedAtMs) : undefined,
    NextRotationDate: isEnabled ? dateOf(nextRotationAtMs) : undefined,
  };
}

function dateOf(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : epochSec(ms);
}

/** Absent without any. */
function tagsOf({ tags }: Secret): object[] | undefined {
  const list = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  return list.length > 0 ? list : undefined;
}

function kmsKeyIds(secret: Secret, { keys = [keyOf(secret)] }: SecretVersion): string[] {
  return keys.map((key) => (key === DEFAULT_KEY ? 'DefaultEncryptionKey' : key));
}

/** Absent if no version has a label. */
export function versionsToStages(secret: Secret): Record<string, string[]> | undefined {
  const labelled = [...secret.versions.values()].filter(({ stages }) => stages.size > 0);
  if (labelled.length === 0) return undefined;
  return Object.fromEntries(labelled.map((version) => [version.versionId, labelsOf(version) ?? []]));
}

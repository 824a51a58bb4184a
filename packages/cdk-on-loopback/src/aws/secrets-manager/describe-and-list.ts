import { type Secret, type SecretVersion } from '../../account';
import { requireAllowed } from '../../iam/authorize';
import { invalidParameter, validationError } from '../aws-error';
import { type Input } from '../input';
import { epochSec, type Operations } from '../operation';
import { pageOf } from '../paging';
import { openSecret, removeExpiredSecrets } from './find-secret';
import { DEFAULT_KEY, keyOf } from './key-access';
import { labelsOf } from './labels';
import { replicationSummary } from './replication';

/** The operations that describe secrets, without their values. */
export const DESCRIPTION_OPERATIONS: Operations = {
  DescribeSecret: {
    parameters: ['SecretId'],
    run(input, call) {
      const secret = openSecret(input, call, 'DescribeSecret');
      return {
        ...summary(secret),
        ...replicationSummary(call.account, secret),
        VersionIdsToStages: versionsToStages(secret),
      };
    },
  },

  ListSecretVersionIds: {
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
          LastAccessedDate: epochSec(version.lastAccessedAtMs),
          KmsKeyIds: kmsKeyIds(secret, version),
        })),
        NextToken: page.nextToken,
      };
    },
  },

  /** Lists secrets, the oldest first. */
  ListSecrets: {
    parameters: ['MaxResults', 'NextToken', 'Filters', 'IncludePlannedDeletion'],
    run(input, call) {
      requireAllowed(call, { action: 'secretsmanager:ListSecrets', resource: '*' });
      const filters = readNameFilters(input);
      const includesDeleted = input.optionalBoolean('IncludePlannedDeletion') ?? false;
      removeExpiredSecrets(call);
      const matching = [...call.account.secrets.values()]
        .filter(({ deletedAtMs }) => includesDeleted || deletedAtMs === undefined)
        .filter(({ name }) => filters.every((values) => values.some((value) => name.startsWith(value))))
        .sort((a, b) => a.createdAtMs - b.createdAtMs);
      const page = pageOf(
        matching,
        input.optionalInteger('MaxResults', { min: 1, max: 100 }) ?? 100,
        input.optionalText('NextToken'),
        'InvalidNextTokenException',
      );
      return {
        SecretList: page.items.map((secret) => ({
          ...summary(secret),
          SecretVersionsToStages: versionsToStages(secret),
        })),
        NextToken: page.nextToken,
      };
    },
  },
};

/** What DescribeSecret and ListSecrets return of a secret, without its versions. */
function summary(secret: Secret): object {
  return {
    ARN: secret.arn,
    Name: secret.name,
    Description: secret.description,
    KmsKeyId: secret.kmsKeyArn,
    ...rotationSummary(secret),
    CreatedDate: epochSec(secret.createdAtMs),
    LastChangedDate: epochSec(secret.lastChangedAtMs),
    LastAccessedDate: epochSec(secret.lastAccessedAtMs),
    DeletedDate: epochSec(secret.deletedAtMs),
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
    LastRotatedDate: isEnabled ? epochSec(lastRotatedAtMs) : undefined,
    NextRotationDate: isEnabled ? epochSec(nextRotationAtMs) : undefined,
  };
}

/** Undefined if a secret has none. */
function tagsOf({ tags }: Secret): object[] | undefined {
  const list = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  return list.length > 0 ? list : undefined;
}

function kmsKeyIds(secret: Secret, { keyIds = [keyOf(secret)] }: SecretVersion): string[] {
  return keyIds.map((keyId) => (keyId === DEFAULT_KEY ? 'DefaultEncryptionKey' : keyId));
}

/** Absent if no version has a label. */
function versionsToStages(secret: Secret): Record<string, string[]> | undefined {
  const labelled = [...secret.versions.values()].filter(({ stages }) => stages.size > 0);
  if (labelled.length === 0) return undefined;
  return Object.fromEntries(labelled.map((version) => [version.versionId, labelsOf(version) ?? []]));
}

/**
 * The name prefixes of each filter. Filters by anything else are not supported.
 * @throws {AwsError} ValidationException for another key, InvalidParameterException without key or values
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_Filter.html
 */
function readNameFilters(input: Input): string[][] {
  return (input.optionalInputs('Filters', { max: 10 }) ?? []).map((filter, n) => {
    const key = filter.optionalText('Key');
    if (key === undefined) throw invalidParameter('Invalid filter key');
    if (key !== 'name') {
      throw validationError(
        `1 validation error detected: Value at 'filters.${n + 1}.member.key' failed to satisfy constraint: ` +
          'Member must satisfy enum value set: [name]',
      );
    }
    const values = filter.optionalTexts('Values', { min: 1, max: 10 });
    if (!values) throw invalidParameter(`Invalid filter values for key: ${key}`);
    return values;
  });
}

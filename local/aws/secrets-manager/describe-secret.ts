import { type Secret, type SecretVersion } from '../../account';
import { AwsError } from '../aws-error';
import { type Input } from '../input';
import { epochSec, type Operation, requireAllowed } from '../operation';
import { pageOf } from '../paging';
import { openSecret, removeExpiredSecrets } from './find-secret';
import { DEFAULT_KEY, keyOf } from './key-access';

/** @see API_DescribeSecret */
export const describeSecret: Operation = {
  parameters: ['SecretId'],
  run(input, call) {
    const secret = openSecret(input, call, 'DescribeSecret');
    return { ...summary(secret), VersionIdsToStages: versionsToStages(secret) };
  },
};

/** @see API_ListSecrets; supports only the filter `name`, which matches prefixes */
export const listSecrets: Operation = {
  parameters: ['MaxResults', 'NextToken', 'Filters', 'IncludePlannedDeletion', 'SortOrder'],
  run(input, call) {
    requireAllowed(call, { action: 'secretsmanager:ListSecrets', resource: '*' });
    const prefixes = readNamePrefixes(input);
    const includesDeleted = input.optionalBoolean('IncludePlannedDeletion') ?? false;
    const order = input.optionalText('SortOrder') === 'asc' ? 1 : -1;
    removeExpiredSecrets(call);
    const matching = [...call.account.secrets.values()]
      .filter(({ deletedAtMs }) => includesDeleted || deletedAtMs === undefined)
      .filter(({ name }) => !prefixes || prefixes.some((prefix) => name.startsWith(prefix)))
      .sort((a, b) => order * (a.createdAtMs - b.createdAtMs || (a.arn < b.arn ? -1 : 1)));
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
        VersionStages: [...version.stages],
        CreatedDate: epochSec(version.createdAtMs),
        ...kmsKeyIds(secret, version),
      })),
      NextToken: page.nextToken,
    };
  },
};

function summary(secret: Secret): object {
  return {
    ARN: secret.arn,
    Name: secret.name,
    Description: secret.description,
    KmsKeyId: secret.kmsKeyArn,
    ...rotationSummary(secret),
    CreatedDate: epochSec(secret.createdAtMs),
    LastChangedDate: epochSec(secret.lastChangedAtMs),
    DeletedDate: secret.deletedAtMs === undefined ? undefined : epochSec(secret.deletedAtMs),
    Tags: Object.entries(secret.tags).map(([Key, Value]) => ({ Key, Value })),
  };
}

/** Leaves out the dates while rotation is off, as AWS does. */
function rotationSummary({ rotation }: Secret): object {
  if (!rotation) return {};
  const { lambdaArn, rules, isEnabled, lastRotatedAtMs, nextRotationAtMs } = rotation;
  const dateOf = (ms: number | undefined): number | undefined =>
    isEnabled && ms !== undefined ? epochSec(ms) : undefined;
  return {
    RotationEnabled: isEnabled,
    RotationLambdaARN: lambdaArn,
    RotationRules: {
      AutomaticallyAfterDays: rules.automaticallyAfterDays,
      Duration: rules.duration,
      ScheduleExpression: rules.scheduleExpression,
    },
    LastRotatedDate: dateOf(lastRotatedAtMs),
    NextRotationDate: dateOf(nextRotationAtMs),
  };
}

/** Without the account's default key. */
function kmsKeyIds(secret: Secret, { keys = [keyOf(secret)] }: SecretVersion): object {
  const KmsKeyIds = keys.filter((key) => key !== DEFAULT_KEY);
  return KmsKeyIds.length > 0 ? { KmsKeyIds } : {};
}

function versionsToStages(secret: Secret): Record<string, string[]> {
  const labelled = [...secret.versions.values()].filter(({ stages }) => stages.size > 0);
  return Object.fromEntries(labelled.map(({ versionId, stages }) => [versionId, [...stages]]));
}

function readNamePrefixes(input: Input): string[] | undefined {
  return input.optionalInputs('Filters', { max: 10 })?.flatMap((filter) => {
    if (filter.text('Key') === 'name') return filter.optionalTexts('Values') ?? [];
    throw new AwsError('InvalidParameterException', 'the local endpoint supports only the filter key name');
  });
}

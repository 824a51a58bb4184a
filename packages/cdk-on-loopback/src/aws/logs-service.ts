import { type Account, type LogEvent, type LogGroup } from '../account';
import { authorize, requireAllowed } from '../iam/authorize';
import { type Principal, servicePrincipal } from '../iam/principal';
import { accessDenied, resourceNotFound } from './aws-error';
import { readFilterPattern } from './filter-pattern';
import { type Call, type Operations } from './operation';
import { pageOf } from './paging';

/** The only stream of each log group: a local run does not separate processes by stream. */
const LOG_STREAM = '[$LATEST]local';

/**
 * Writes log events with the permissions of a role, for Lambda and API Gateway. Creates a group that does not exist.
 * @throws {AwsError} AccessDeniedException unless the role may create the group and stream and put events, and CloudWatch Logs
 * may use the group's key
 * @see Lambda developer guide, monitoring-cloudwatchlogs (required permissions)
 */
export function writeLogEvents(
  account: Account,
  principal: Principal,
  logGroupName: string,
  events: readonly LogEvent[],
): void {
  let group = account.logGroups.get(logGroupName);
  if (!group) {
    const arn = arnOf(account, logGroupName);
    requireAllowed({ account, principal }, { action: 'logs:CreateLogGroup', resource: arn });
    group = { arn, name: logGroupName, events: [] };
    account.logGroups.set(logGroupName, group);
  }
  const resource = arnOf(account, `${logGroupName}:log-stream:${LOG_STREAM}`);
  for (const action of ['logs:CreateLogStream', 'logs:PutLogEvents']) {
    requireAllowed({ account, principal }, { action, resource });
  }
  requireLogsKey(account, group);
  group.events.push(...events);
}

/** What CloudWatch Logs does with the key of a group. @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html */
const KEY_ACTIONS = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'];

/**
 * Checks that the policy of a group's key lets CloudWatch Logs use it for this group.
 * @throws {AwsError} AccessDeniedException in AWS's words
 * @see https://github.com/aws/aws-cdk/issues/28304
 */
export function requireLogsKey(
  account: Account,
  { arn, kmsKeyArn }: Pick<LogGroup, 'arn' | 'kmsKeyArn'>,
): void {
  if (kmsKeyArn === undefined) return;
  const isAllowed = KEY_ACTIONS.every(
    (action) =>
      authorize(account, {
        principal: servicePrincipal(`logs.${account.region}.amazonaws.com`, arn, account),
        action: `kms:${action}`,
        resource: kmsKeyArn,
        resourcePolicy: account.keys.get(kmsKeyArn)?.policy,
        context: { 'kms:EncryptionContext:aws:logs:arn': arn },
      }).allowed,
  );
  if (isAllowed) return;
  throw accessDenied(`The specified KMS key does not exist or is not allowed to be used with Arn '${arn}'`);
}

export const LOGS_OPERATIONS: Operations = {
  /** Returns a group's events by time. Filter patterns: see {@link readFilterPattern}. */
  FilterLogEvents: {
    parameters: [
      'logGroupName',
      'logGroupIdentifier',
      'startTime',
      'endTime',
      'filterPattern',
      'limit',
      'nextToken',
    ],
    run(input, call) {
      const name = input.optionalText('logGroupName') ?? nameOf(input.text('logGroupIdentifier'));
      const isMatch = readFilterPattern(input.optionalText('filterPattern', { min: 0 }) ?? '');
      const startMs = input.optionalInteger('startTime') ?? 0;
      const endMs = input.optionalInteger('endTime') ?? Infinity;
      requireAllowed(call, {
        action: 'logs:FilterLogEvents',
        resource: arnOf(call.account, `${name}:log-stream:`),
      });
      const group = findGroup(call.account, name);
      requireLogsKey(call.account, group);
      const matching = group.events
        .map((event, n) => ({ ...event, n }))
        .filter(({ timestampMs }) => timestampMs >= startMs && timestampMs <= endMs)
        .filter(({ message }) => isMatch(message))
        .sort((a, b) => a.timestampMs - b.timestampMs || a.n - b.n);
      const limit = input.optionalInteger('limit', { min: 1, max: 10_000 }) ?? 10_000;
      const page = pageOf(matching, limit, input.optionalText('nextToken'), 'InvalidParameterException');
      return {
        events: page.items.map(({ timestampMs, message, n }) => ({
          logStreamName: LOG_STREAM,
          timestamp: timestampMs,
          message,
          ingestionTime: timestampMs,
          eventId: String(n),
        })),
        searchedLogStreams: [],
        nextToken: page.nextToken,
      };
    },
  },

  DescribeLogGroups: {
    parameters: ['logGroupNamePrefix', 'limit', 'nextToken'],
    run(input, call) {
      requireAllowed(call, {
        action: 'logs:DescribeLogGroups',
        resource: arnOf(call.account, ':log-stream:'),
      });
      const prefix = input.optionalText('logGroupNamePrefix') ?? '';
      const groups = [...call.account.logGroups.values()]
        .filter(({ name }) => name.startsWith(prefix))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      const limit = input.optionalInteger('limit', { min: 1, max: 50 }) ?? 50;
      const page = pageOf(groups, limit, input.optionalText('nextToken'), 'InvalidParameterException');
      return { logGroups: page.items.map((group) => describeGroup(call, group)), nextToken: page.nextToken };
    },
  },

  DeleteLogGroup: {
    parameters: ['logGroupName'],
    run(input, call) {
      const name = input.text('logGroupName', { max: 512 });
      requireAllowed(call, {
        action: 'logs:DeleteLogGroup',
        resource: arnOf(call.account, `${name}:log-stream:`),
      });
      findGroup(call.account, name);
      call.account.logGroups.delete(name);
      return {};
    },
  },
};

function describeGroup({ account }: Call, { name }: LogGroup): object {
  return { logGroupName: name, arn: `${arnOf(account, name)}:*`, logGroupArn: arnOf(account, name) };
}

function findGroup(account: Account, name: string): LogGroup {
  const group = account.logGroups.get(name);
  if (group) return group;
  throw resourceNotFound('The specified log group does not exist.');
}

function nameOf(identifier: string): string {
  return /^arn:[^:]+:logs:[^:]*:[^:]*:log-group:([^:]+)/.exec(identifier)?.[1] ?? identifier;
}

function arnOf(account: Account, groupAndStream: string): string {
  return account.arn('logs', `log-group:${groupAndStream}`);
}

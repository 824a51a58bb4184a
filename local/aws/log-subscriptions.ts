import { gzipSync } from 'node:zlib';

import { type Account, type LogEvent, type LogGroup } from '../account';
import { type WriteLogs } from '../functions/function-log';
import { authorize } from '../iam/authorize';
import { type Reporter } from '../interfaces';
import { AwsError } from './aws-error';
import { readFilterPattern } from './filter-pattern';

interface Delivery {
  reporter: Reporter;
  /** Invokes a function asynchronously. */
  invoke: (functionArn: string, payload: Buffer) => void;
}

/**
 * Wraps `write` to deliver what it has written to the subscribed functions.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html#LambdaFunctionExample
 */
export function deliveringLogs(write: WriteLogs, { reporter, invoke }: Delivery): WriteLogs {
  const warned = new Set<string>();
  return (account, principal, logGroupName, events) => {
    write(account, principal, logGroupName, events);
    const group = account.logGroups.get(logGroupName)!;
    for (const { name, destinationArn, pattern } of group.subscriptions ?? []) {
      const isMatch = readFilterPattern(pattern);
      const matching = events.filter(({ message }) => isMatch(message));
      if (matching.length === 0 || !isFunction(destinationArn)) continue;
      try {
        requireDestination(account, group, destinationArn);
        invoke(destinationArn, payloadOf(account, group, name, matching));
      } catch (error) {
        // AWS only counts it, in the metric DeliveryErrors of the group.
        const warning = `could not deliver lines of ${logGroupName}: ${(error as Error).message}`;
        if (!warned.has(warning)) reporter.warning(warning);
        warned.add(warning);
      }
    }
  };
}

/**
 * Checks that CloudWatch Logs may invoke a function for a group. Other destinations do not exist here.
 * @throws {AwsError} InvalidParameterException in AWS's words
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutSubscriptionFilter.html
 */
export function requireDestination(account: Account, { arn }: LogGroup, destinationArn: string): void {
  if (!isFunction(destinationArn)) return;
  const fn = account.functions.get(destinationArn);
  const { accountId } = account;
  const isAllowed =
    fn !== undefined &&
    authorize(account, {
      principal: {
        kind: 'service',
        service: 'logs.amazonaws.com',
        sourceArn: `${arn}:*`,
        sourceAccount: accountId,
      },
      action: 'lambda:InvokeFunction',
      resource: destinationArn,
      resourceAccount: accountId,
      resourcePolicy: fn.resourcePolicy,
    }).allowed;
  if (isAllowed) return;
  throw new AwsError(
    'InvalidParameterException',
    'Could not execute the lambda function. Make sure you have given CloudWatch Logs permission to execute your function.',
  );
}

function isFunction(arn: string): boolean {
  return arn.split(':')[2] === 'lambda';
}

function payloadOf(
  { accountId }: Account,
  group: LogGroup,
  filterName: string,
  events: readonly LogEvent[],
): Buffer {
  const first = group.events.length - events.length;
  const document = {
    messageType: 'DATA_MESSAGE',
    owner: accountId,
    logGroup: group.name,
    logStream: '[$LATEST]local',
    subscriptionFilters: [filterName],
    logEvents: events.map(({ timestampMs, message }, n) => ({
      id: String(first + n),
      timestamp: timestampMs,
      message,
    })),
  };
  const data = gzipSync(JSON.stringify(document)).toString('base64');
  return Buffer.from(JSON.stringify({ awslogs: { data } }));
}

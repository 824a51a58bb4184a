import { isInOtherRegion, isOfOtherAccount } from './arn';
import { type ConfigurationIssue } from './configuration-issue';
import { type WellFormedDeployment } from './well-formed';

/** Violated rules about logs, queue, topic, traces and events. Paths are relative to the deployment. */
export function observationIssues(deployment: WellFormedDeployment): ConfigurationIssue[] {
  return [
    ...logsKeyIssues(deployment),
    ...topicKeyIssues(deployment),
    ...logSubscriptionIssues(deployment),
    ...codeSigningIssues(deployment),
    ...tracingIssues(deployment),
    ...eventBusIssues(deployment),
  ];
}

function logsKeyIssues({
  logsKmsKeyArn,
  encryptLogsAndQueue,
  region,
}: WellFormedDeployment): ConfigurationIssue[] {
  if (logsKmsKeyArn === undefined) return [];
  const allowed = 'false together with logsKmsKeyArn: logs and queue have one key';
  return [
    ...(encryptLogsAndQueue ? [{ path: ['encryptLogsAndQueue'], found: true, allowed }] : []),
    ...keyRegionIssues(['logsKmsKeyArn'], logsKmsKeyArn, region, 'the log groups and the queue'),
  ];
}

function topicKeyIssues({ alarms, region }: WellFormedDeployment): ConfigurationIssue[] {
  const { topicArn, topicKmsKeyArn } = alarms ?? {};
  if (topicKmsKeyArn === undefined) return [];
  const path = ['alarms', 'topicKmsKeyArn'];
  const allowed = 'nothing together with topicArn: your topic has its own key';
  return [
    ...(topicArn === undefined ? [] : [{ path, found: topicKmsKeyArn, allowed }]),
    ...keyRegionIssues(path, topicKmsKeyArn, region, 'the topic'),
  ];
}

/** A key encrypts only in its region, and AWS finds that out in the middle of a deployment. */
function keyRegionIssues(
  path: string[],
  found: string,
  region: string | undefined,
  of: string,
): ConfigurationIssue[] {
  if (!isInOtherRegion(found, region)) return [];
  return [{ path, found, allowed: `a key in ${region}, the region of ${of}` }];
}

/**
 * CloudWatch Logs needs a role for a stream, takes none for a function, and delivers directly only within the account and region.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutSubscriptionFilter.html
 */
function logSubscriptionIssues({
  logSubscription,
  account,
  region,
}: WellFormedDeployment): ConfigurationIssue[] {
  const { destinationArn, roleArn } = logSubscription ?? {};
  if (destinationArn === undefined) return [];
  const service = destinationArn.split(':')[2];
  const at = (field: string, found: unknown, allowed: string) => ({
    path: ['logSubscription', field],
    found,
    allowed,
  });
  const issues: ConfigurationIssue[] = [];
  if (service === 'lambda' && roleArn !== undefined)
    issues.push(
      at('roleArn', roleArn, 'nothing with a function, whose policy must allow logs.amazonaws.com'),
    );
  if ((service === 'kinesis' || service === 'firehose') && roleArn === undefined)
    issues.push(at('roleArn', roleArn, 'the ARN of a role with which CloudWatch Logs writes to the stream'));
  if (service === 'logs' || !isElsewhere(destinationArn, { account, region })) return issues;
  const allowed =
    'one of the deployment’s account and region, or a destination of CloudWatch Logs (arn:aws:logs:…)';
  return [...issues, at('destinationArn', destinationArn, allowed)];
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-codesigning-create.html */
function codeSigningIssues({ codeSigning, account, region }: WellFormedDeployment): ConfigurationIssue[] {
  const found = codeSigning?.configArn;
  if (!isElsewhere(found, { account, region })) return [];
  const allowed = 'one of the deployment’s account and region';
  return [{ path: ['codeSigning', 'configArn'], found, allowed }];
}

/** Lambda loads layers of its own region, of any account that shares them. */
function tracingIssues({ tracing, region }: WellFormedDeployment): ConfigurationIssue[] {
  const found = typeof tracing === 'object' ? tracing.opentelemetry?.layerArn : undefined;
  if (!isInOtherRegion(found, region)) return [];
  const allowed = `a layer in ${region}, the region of the functions`;
  return [{ path: ['tracing', 'opentelemetry', 'layerArn'], found, allowed }];
}

/**
 * A function sends to buses of its own AWS region only. A rule there can forward events to another region.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-cross-region.html
 */
function eventBusIssues({ events, region }: WellFormedDeployment): ConfigurationIssue[] {
  const found = typeof events === 'object' ? events.eventBusArn : undefined;
  if (!isInOtherRegion(found, region)) return [];
  const allowed = `an event bus in ${region}, the deployment’s AWS region, where a rule can forward events to others`;
  return [{ path: ['events', 'eventBusArn'], found, allowed }];
}

/** Whether a resource is certainly not in a deployment's account and region. */
function isElsewhere(
  arn: string | undefined,
  { account, region }: Pick<WellFormedDeployment, 'account' | 'region'>,
): boolean {
  return isInOtherRegion(arn, region) || isOfOtherAccount(arn, account);
}

import { type ConfigurationIssue } from './configuration-issue';
import { type Outline } from './outline';

/** Violated rules about logs, queue, topic and traces. Paths are relative to the deployment. */
export function observationIssues(
  deployment: NonNullable<Outline['deployments'][number]>,
): ConfigurationIssue[] {
  return [
    ...logsKeyIssues(deployment),
    ...topicKeyIssues(deployment),
    ...logSubscriptionIssues(deployment),
    ...codeSigningIssues(deployment),
    ...tracingIssues(deployment),
  ];
}

function logsKeyIssues({
  logsKmsKeyArn,
  encryptLogsAndQueue,
  region,
}: NonNullable<Outline['deployments'][number]>): ConfigurationIssue[] {
  if (logsKmsKeyArn === undefined) return [];
  const allowed = 'false together with logsKmsKeyArn: logs and queue have one key';
  return [
    ...(encryptLogsAndQueue ? [{ path: ['encryptLogsAndQueue'], found: true, allowed }] : []),
    ...keyRegionIssues(['logsKmsKeyArn'], logsKmsKeyArn, region, 'the log groups and the queue'),
  ];
}

function topicKeyIssues({
  alarms,
  region,
}: NonNullable<Outline['deployments'][number]>): ConfigurationIssue[] {
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
  region: string | null | undefined,
  of: string,
): ConfigurationIssue[] {
  // The schema reports what is no ARN.
  const ofKey = found.split(':')[3];
  if (typeof region !== 'string' || ofKey === undefined || ofKey === region) return [];
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
}: NonNullable<Outline['deployments'][number]>): ConfigurationIssue[] {
  const { destinationArn, roleArn } = logSubscription ?? {};
  if (destinationArn === undefined) return [];
  const [, , service, ofRegion, ofAccount] = destinationArn.split(':');
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
  // The schema reports what is no ARN.
  if (service === 'logs' || ofAccount === undefined) return issues;
  const allowed =
    'one of the deployment’s account and region, or a destination of CloudWatch Logs (arn:aws:logs:…)';
  return isElsewhere({ account, region }, { ofRegion, ofAccount })
    ? [...issues, at('destinationArn', destinationArn, allowed)]
    : issues;
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-codesigning-create.html */
function codeSigningIssues({
  codeSigning,
  account,
  region,
}: NonNullable<Outline['deployments'][number]>): ConfigurationIssue[] {
  const found = codeSigning?.configArn;
  const [, , , ofRegion, ofAccount] = found?.split(':') ?? [];
  // The schema reports what is no ARN.
  if (ofAccount === undefined || !isElsewhere({ account, region }, { ofRegion, ofAccount })) return [];
  const allowed = 'one of the deployment’s account and region';
  return [{ path: ['codeSigning', 'configArn'], found, allowed }];
}

/** Lambda loads layers of its own region, of any account that shares them. */
function tracingIssues({
  tracing,
  region,
}: NonNullable<Outline['deployments'][number]>): ConfigurationIssue[] {
  const found = tracing?.opentelemetry.layerArn;
  const ofLayer = found?.split(':')[3];
  // The schema reports what is no ARN.
  if (typeof region !== 'string' || ofLayer === undefined || ofLayer === region) return [];
  const allowed = `a layer in ${region}, the region of the functions`;
  return [{ path: ['tracing', 'opentelemetry', 'layerArn'], found, allowed }];
}

/** Whether a resource is certainly not in a deployment's account and region. */
function isElsewhere(
  { account, region }: Pick<NonNullable<Outline['deployments'][number]>, 'account' | 'region'>,
  { ofRegion, ofAccount }: { ofRegion: string | undefined; ofAccount: string },
): boolean {
  return (
    (typeof region === 'string' && ofRegion !== region) ||
    (typeof account === 'string' && ofAccount !== account)
  );
}

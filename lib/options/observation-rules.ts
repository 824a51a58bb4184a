import { isInOtherRegion, isOfOtherAccount } from './arn';
import { type ConfigurationIssue } from './configuration-issue';
import { type WellFormedDeployment } from './well-formed';

/** Violated rules about where keys, code signing, layers and event buses are. Paths are relative to the deployment. */
export function observationIssues(deployment: WellFormedDeployment): ConfigurationIssue[] {
  return [
    ...logsKeyIssues(deployment),
    ...topicKeyIssues(deployment),
    ...codeSigningIssues(deployment),
    ...tracingIssues(deployment),
    ...eventBusIssues(deployment),
  ];
}

function logsKeyIssues({ logsKmsKeyArn, region }: WellFormedDeployment): ConfigurationIssue[] {
  if (logsKmsKeyArn === undefined) return [];
  return keyRegionIssues(['logsKmsKeyArn'], logsKmsKeyArn, region, 'the log groups and the queue');
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
  encrypted: string,
): ConfigurationIssue[] {
  if (!isInOtherRegion(found, region)) return [];
  return [{ path, found, allowed: `a key in ${region}, the region of ${encrypted}` }];
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-codesigning-create.html */
function codeSigningIssues({ codeSigning, account, region }: WellFormedDeployment): ConfigurationIssue[] {
  const found = codeSigning?.configArn;
  if (!isInOtherRegion(found, region) && !isOfOtherAccount(found, account)) return [];
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

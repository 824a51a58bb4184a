import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

import { type WatchEvent } from '../../../contract/deployment-snapshot';
import { type DeploymentFile } from '../../../contract/deployment-file';
import { type FindingKind } from '../../../contract/finding-kinds';
import { deploymentPath, CREDENTIAL_KINDS, type CredentialKind } from '../../../contract/secret-names';
import { acknowledgeWildcards } from '../internal/acknowledge-wildcards';
import { BundledFunction, type FunctionSettings } from '../internal/bundled-function';
import { deploymentMetric } from './deployment-metric';
import { deliverFailures } from '../internal/deliver-failures';
import { FunctionSchedule } from '../internal/function-schedule';
import { keyStatement } from '../internal/key-statement';
import { secretArnPattern } from '../internal/secret-arns';

export interface CredentialWatchProps {
  readonly deployment: DeploymentFile;
  /** The key of the deployment's secrets. */
  readonly encryptionKeyArn: string;
  /** Where looks go that failed or could not start. */
  readonly deadLetterQueue: sqs.IQueue;
  /** @default outside any VPC, with logs kept for 90 days */
  readonly functionSettings?: FunctionSettings;
}

/** Oftener than daily: a daily metric leaves periods without data, in which alarms can't tell. */
const INTERVAL = Duration.hours(6);
/** A look changes nothing, so it may be repeated; one that is an hour late still says how things are. */
const REPETITION = { retryAttempts: 2, maxEventAge: Duration.hours(1) };

/**
 * Looks at the credentials and tokens of one deployment every six hours, and counts what needs somebody's attention.
 * It may write nothing, and reads neither client credentials nor anything of another deployment.
 */
export class CredentialWatch extends Construct {
  readonly credentialWatchArn: string;
  readonly schedule: FunctionSchedule;
  private readonly watch: BundledFunction;
  private readonly deployment: DeploymentFile;

  constructor(scope: Construct, id: string, props: CredentialWatchProps) {
    super(scope, id);
    this.deployment = props.deployment;
    const { environment, platformRegion } = props.deployment;
    const watch = new BundledFunction(this, 'CredentialWatch', {
      bundleName: 'credential-watch',
      description: `credential-watch of ${environment} ${platformRegion}`,
      deployment: props.deployment,
      // Hundreds of tenants, with a few calls each that may be throttled.
      timeout: Duration.seconds(60),
      settings: props.functionSettings,
    });
    this.watch = watch;
    this.credentialWatchArn = watch.function.functionArn;
    this.allowLooking(watch.role, props.encryptionKeyArn);
    const { deadLetterQueue } = props;
    deliverFailures(watch, { deadLetterQueue, ...REPETITION });
    this.schedule = new FunctionSchedule(this, 'Schedule', {
      deployment: props.deployment,
      functionName: 'credential-watch',
      function: watch.function,
      event: { action: 'watch' } satisfies WatchEvent,
      interval: INTERVAL,
      maxEventAge: REPETITION.maxEventAge,
      deadLetterQueue,
    });
  }

  /** Looks that were taken. Fewer than one in six hours: nobody is told of what is found. */
  metricWatchRun(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'WatchRun', { period: INTERVAL, ...options });
  }

  /** Findings of one kind, such as `rotation_due`, counted at every look. Of few kinds, 0 is sent where there are none. */
  metricFinding(kind: FindingKind, options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'Finding', { period: INTERVAL, ...options }, { code: kind });
  }

  /** Days for which the oldest current credential of the kind is current; none where nothing is loaded. */
  metricCredentialAge(kind: CredentialKind, options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    const usual = { period: INTERVAL, statistic: cloudwatch.Stats.MINIMUM };
    return deploymentMetric(this.deployment, 'CredentialAge', { ...usual, ...options }, { kind });
  }

  /** Days until the first API key ends; none where nothing is loaded. */
  metricDaysToExpiry(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    const usual = { period: INTERVAL, statistic: cloudwatch.Stats.MAXIMUM };
    const dimension: { kind: CredentialKind } = { kind: 'api-key' };
    return deploymentMetric(this.deployment, 'DaysToExpiry', { ...usual, ...options }, dimension);
  }

  /** Looks that could not start for lack of concurrency. */
  metricThrottles(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return this.watch.function.metricThrottles(options);
  }

  /** By path, so that the policy has one size for any number of tenants. Adopted secrets have the same names. */
  private allowLooking(role: iam.Role, encryptionKeyArn: string): void {
    const below = (name: string) =>
      secretArnPattern(this, `${deploymentPath(this.deployment.prefix, this.deployment)}/*/${name}`);
    const credentials = CREDENTIAL_KINDS.map(below);
    // An API key for its end of life; of client credentials, the labels tell everything.
    const readable = [below('api-key'), below('token/*')];
    const allow = (actions: string[], resources: string[]) =>
      role.addToPolicy(new iam.PolicyStatement({ actions, resources }));
    allow(['secretsmanager:DescribeSecret', 'secretsmanager:ListSecretVersionIds'], credentials);
    allow(['secretsmanager:GetSecretValue'], readable);
    role.addToPolicy(
      keyStatement(this, { keyArn: encryptionKeyArn, secretArns: readable, actions: ['kms:Decrypt'] }),
    );
    acknowledgeWildcards(
      role.node.findChild('DefaultPolicy'),
      [...new Set([...credentials, ...readable])],
      'The path is that of this deployment; full ARNs would overflow the policy at about 60 tenants.',
    );
  }
}

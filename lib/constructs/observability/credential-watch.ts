import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

import { allow } from '../internal/allow';
import { type WatchEvent } from '../../../core/deployment/deployment-snapshot';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type FindingKind } from '../../../core/findings/finding-kinds';
import { type CredentialKind } from '../../../core/secrets/secret-names';
import { deploymentText } from '../../../core/tokens/token-key';
import { type CredentialWatchEnvironment } from '../../../lambdas/credential-watch/environment';
import { ownPolicyOf } from '../internal/acknowledge';
import { acknowledgeWildcards, BY_PATH } from '../internal/acknowledge-wildcards';
import { type DeploymentSettings, withDeployment } from '../deployment-settings';
import { BundledFunction } from '../internal/bundled-function';
import { deploymentMetric } from './deployment-metric';
import { deliverFailures } from '../internal/deliver-failures';
import { FunctionSchedule } from '../internal/function-schedule';
import { type EncryptionKeys, keyStatement } from '../internal/key-statement';
import { credentialArns, tokenArnPattern } from '../internal/secret-arns';
import { type RestoreApi } from '../restore/restore-api';

export interface CredentialWatchProps {
  readonly deployment: DeploymentSettings;
  /** Receives runs that failed or could not start. */
  readonly deadLetterQueue: sqs.IQueue;
  /** The restore API, whose function is asked whether the platform offers restore. @default none */
  readonly restoreApi?: RestoreApi;
}

/** More often than daily, so that no alarm period is without data. */
export const WATCH_INTERVAL = Duration.hours(6);
/** A run changes nothing, so it can be retried and may start up to an hour late. */
const RETRY_POLICY = { retryAttempts: 2, maxEventAge: Duration.hours(1) };

/**
 * Checks the credentials and tokens of one deployment every six hours and counts what needs attention.
 * It cannot write anything, and cannot read client credentials or other deployments.
 */
export class CredentialWatch extends Construct {
  readonly credentialWatchArn: string;
  readonly roleArn: string;
  readonly schedule: FunctionSchedule;
  private readonly watch: BundledFunction;
  private readonly deployment: DeploymentFile;

  constructor(scope: Construct, id: string, props: CredentialWatchProps) {
    super(scope, id);
    withDeployment(this, props);
    this.deployment = props.deployment.file;
    const restoreArn = props.restoreApi?.restoreArn;
    const functionEnvironment: CredentialWatchEnvironment =
      restoreArn === undefined ? {} : { RESTORE_ARN: restoreArn };
    const watch = new BundledFunction(this, 'CredentialWatch', {
      bundleName: 'credential-watch',
      description: `credential-watch of ${deploymentText(this.deployment)}`,
      deployment: props.deployment,
      // Twice what 5,000 tenants with three tokens each take; a usual run ends in seconds.
      timeout: Duration.minutes(5),
      environment: { ...functionEnvironment },
    });
    this.watch = watch;
    this.credentialWatchArn = watch.function.functionArn;
    this.roleArn = watch.role.roleArn;
    this.allowReading(watch.role, props.deployment.keys);
    if (restoreArn !== undefined) {
      allow(watch.role, ['lambda:InvokeFunction'], [restoreArn]);
    }
    const { deadLetterQueue } = props;
    deliverFailures(watch, { deadLetterQueue, ...RETRY_POLICY });
    this.schedule = new FunctionSchedule(this, 'Schedule', {
      deployment: props.deployment,
      functionName: 'credential-watch',
      function: watch.function,
      event: { action: 'watch' } satisfies WatchEvent,
      interval: WATCH_INTERVAL,
      maxEventAge: RETRY_POLICY.maxEventAge,
      deadLetterQueue,
    });
  }

  /** Completed runs. Fewer than one in six hours means that findings go unnoticed. */
  metricWatchRun(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'WatchRun', { period: WATCH_INTERVAL, ...options });
  }

  /** Findings of one kind, such as `rotation_due`, in each run. Kinds with an alarm are also emitted as 0. */
  metricFinding(kind: FindingKind, options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(
      this.deployment,
      'Finding',
      { period: WATCH_INTERVAL, ...options },
      { code: kind },
    );
  }

  /** Age in days of the oldest current credential of a kind. No data if nothing is loaded. */
  metricCredentialAge(kind: CredentialKind, options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return this.ageMetric(options, { kind });
  }

  /** Age in days of the oldest current credential of any kind. No data if nothing is loaded. */
  metricOldestCredentialAge(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return this.ageMetric(options);
  }

  /** Days until the first API key expires. No data if nothing is loaded. */
  metricDaysToExpiry(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    const defaults = { period: WATCH_INTERVAL, statistic: cloudwatch.Stats.MAXIMUM };
    const dimension: { kind: CredentialKind } = { kind: 'api-key' };
    return deploymentMetric(this.deployment, 'DaysToExpiry', { ...defaults, ...options }, dimension);
  }

  /** Throttled runs. */
  metricThrottles(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return this.watch.function.metricThrottles(options);
  }

  private ageMetric(
    options?: cloudwatch.MetricOptions,
    dimensions?: Record<string, string>,
  ): cloudwatch.Metric {
    const defaults = { period: WATCH_INTERVAL, statistic: cloudwatch.Stats.MINIMUM };
    return deploymentMetric(this.deployment, 'CredentialAge', { ...defaults, ...options }, dimensions);
  }

  private allowReading(role: iam.IRole, { encryptionKeyArn, formerKeyArns = [] }: EncryptionKeys): void {
    const credentials = credentialArns(this, this.deployment);
    const apiKeys = credentialArns(this, this.deployment, ['api-key']);
    const tokens = tokenArnPattern(this, this.deployment);
    // API keys for their expiry. Client credentials are judged by their staging labels alone.
    const readable = [...apiKeys.patterns, tokens, ...apiKeys.adopted];
    allow(role, ['secretsmanager:DescribeSecret', 'secretsmanager:ListSecretVersionIds'], credentials.all);
    allow(role, ['secretsmanager:GetSecretValue'], readable);
    // Gives no value by itself, and takes no resource:
    // https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecretsmanager.html
    allow(role, ['secretsmanager:BatchGetSecretValue'], ['*']);
    role.addToPrincipalPolicy(
      keyStatement(this, {
        keyArn: encryptionKeyArn,
        otherKeyArns: [...apiKeys.keys, ...formerKeyArns],
        secretArns: readable,
        actions: ['kms:Decrypt'],
      }),
    );
    acknowledgeWildcards(ownPolicyOf(role), [...credentials.patterns, tokens], BY_PATH);
    acknowledgeWildcards(
      ownPolicyOf(role),
      ['*'],
      'BatchGetSecretValue takes no resource; values need GetSecretValue.',
    );
  }
}

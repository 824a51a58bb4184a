import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

import { allow } from '../internal/allow';
import { EVENT_TYPES } from '../../../core/events/change-events';
import { deployedKindsOf, type DeploymentFile } from '../../../core/deployment/deployment-file';
import { SWEEP_INTERVAL_SEC } from '../../../core/tokens/lifetimes';
import { type TokenFault } from '../../../core/alarms/metrics';
import { type SweepEvent } from '../../../core/tokens/token-refresh';
import { deploymentText } from '../../../core/tokens/token-key';
import { acknowledge, ownPolicyOf } from '../internal/acknowledge';
import { acknowledgeWildcards, BY_PATH } from '../internal/acknowledge-wildcards';
import { allowDescribing } from '../internal/allow-describing';
import { type DeploymentSettings, withDeployment } from '../deployment-settings';
import { allowSending, eventSender } from '../events/change-events';
import { SecretChanges } from '../events/secret-changes';
import { BundledFunction } from '../internal/bundled-function';
import { deploymentMetric } from '../observability/deployment-metric';
import { deliverFailures } from '../internal/deliver-failures';
import { grantInvoke } from '../internal/grant-statement';
import { FunctionSchedule } from '../internal/function-schedule';
import { type EncryptionKeys, keyStatement, replicaKeyStatements } from '../internal/key-statement';
import { credentialArns, tokenArnPattern } from '../internal/secret-arns';

export interface TokenRefresherProps {
  readonly deployment: DeploymentSettings;
}

/**
 * Keeps the tokens of one deployment fresh: on request (token-refresh) and every five minutes (token-sweep).
 * Only these functions write token secrets; apart from rotate-credentials, only they read client credentials.
 */
export class TokenRefresher extends Construct {
  readonly tokenRefreshArn: string;
  readonly tokenSweepArn: string;
  /** The roles of both functions. */
  readonly roleArns: string[];
  /** Receives scheduled and asynchronous runs that failed or could not start. */
  readonly deadLetterQueue: sqs.Queue;
  readonly schedule: FunctionSchedule;
  /** @internal */
  readonly logGroupNames: readonly string[];
  private readonly deployment: DeploymentFile;
  private readonly refresh: lambda.Function;

  constructor(scope: Construct, id: string, props: TokenRefresherProps) {
    super(scope, id);
    const { deployment } = withDeployment(this, props);
    this.deployment = deployment.file;
    const { eventBus, logsKey: encryptionKey, options } = deployment;
    this.deadLetterQueue = new sqs.Queue(this, 'DeadLetters', {
      ...(encryptionKey === undefined
        ? { encryption: sqs.QueueEncryption.SQS_MANAGED }
        : { encryption: sqs.QueueEncryption.KMS, encryptionMasterKey: encryptionKey }),
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(
      this.deadLetterQueue.node.defaultChild,
      ['AwsSolutions-SQS3', 'Serverless-SQSRedrivePolicy'],
      'This is itself a dead-letter queue, of a schedule and of asynchronous runs, which the rule does not detect.',
    );
    const shared = {
      deployment,
      ...eventSender(eventBus),
      // A concurrency of one avoids duplicate token requests; it is not a lock.
      reservedConcurrency: options.reservedConcurrency === 1 ? 1 : undefined,
    };
    const refresh = new BundledFunction(this, 'TokenRefresh', {
      ...shared,
      bundleName: 'token-refresh',
      description: `token-refresh of ${deploymentText(this.deployment)}`,
      timeout: Duration.seconds(30),
    });
    const sweep = new BundledFunction(this, 'TokenSweep', {
      ...shared,
      bundleName: 'token-sweep',
      description: `token-sweep of ${deploymentText(this.deployment)}`,
      // A sweep ends before the next one starts.
      timeout: Duration.seconds(SWEEP_INTERVAL_SEC - 60),
    });
    this.allowEndingRotations(sweep.role);
    allowDescribing(sweep.role, this.deployment, [...deployedKindsOf(this.deployment), 'token/*']);
    allowDescribing(refresh.role, this.deployment, ['client-credentials', 'token/*']);
    for (const bundled of [refresh, sweep]) {
      this.allowSecrets(bundled.role, deployment.keys);
      allowSending(bundled, eventBus, [EVENT_TYPES.tokenRenewed]);
      // No retries: the next sweep does the same work.
      deliverFailures(bundled, {
        deadLetterQueue: this.deadLetterQueue,
        retryAttempts: 0,
        maxEventAge: Duration.seconds(SWEEP_INTERVAL_SEC),
      });
    }
    if (this.deployment.trailEvents === true) {
      new SecretChanges(this, 'Changes', {
        deployment: this.deployment,
        consumer: sweep,
        kind: 'client-credentials',
        tokenWriters: [refresh, sweep].map(({ role }) => role.roleArn),
      });
    }
    this.schedule = new FunctionSchedule(this, 'Schedule', {
      deployment,
      functionName: 'token-sweep',
      function: sweep.function,
      event: { action: 'sweep' } satisfies SweepEvent,
      interval: Duration.seconds(SWEEP_INTERVAL_SEC),
      maxEventAge: Duration.seconds(SWEEP_INTERVAL_SEC),
      deadLetterQueue: this.deadLetterQueue,
    });
    this.refresh = refresh.function;
    this.tokenRefreshArn = refresh.function.functionArn;
    this.tokenSweepArn = sweep.function.functionArn;
    this.logGroupNames = [refresh, sweep].map(({ logGroup }) => logGroup.logGroupName);
    this.roleArns = [refresh, sweep].map(({ role }) => role.roleArn);
  }

  /** Grants requesting a valid token from token-refresh. The response contains no token. */
  grantEnsureFresh(grantee: iam.IGrantable): iam.Grant {
    return grantInvoke(grantee, this.tokenRefreshArn);
  }

  /** Lets another account allow its roles to request a valid token. The response contains no token. */
  allowEnsureFreshFrom(account: string): void {
    this.refresh.addPermission(`Reader-${account}`, { principal: new iam.AccountPrincipal(account) });
  }

  /**
   * Lets the accounts of an organization do the same. AWS allows no further condition: if the deployment's own account is in the
   * organization, its principals need no policy of their own.
   * @see https://docs.aws.amazon.com/lambda/latest/dg/permissions-function-organization.html
   */
  allowEnsureFreshFromOrganization(organizationId: string): void {
    const principal = new iam.AnyPrincipal();
    this.refresh.addPermission(`Readers-${organizationId}`, { principal, organizationId });
  }

  /** Tokens that were renewed and stored. */
  metricTokenRenewed(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'TokenRenewed', options);
  }

  /** Failed renewals, even if the stored token is still valid. Tenants without credentials do not count. */
  metricTokenRenewalFailed(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'TokenRenewalFailed', options);
  }

  /** Requests to the platform's token endpoints, including retries. */
  metricTokenRequest(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'TokenRequest', options);
  }

  /** Requests of renewals that stored a token, beyond one every ten minutes for each token. */
  metricTokenRequestExcess(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'TokenRequestExcess', options);
  }

  /** Renewals that met a fault which lasts until a person fixes it, such as `tls_failed`. */
  metricTokenBlocked(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'TokenBlocked', options);
  }

  /** Renewals that met a fault such as `credential_refused`, even if they succeeded in the end. */
  metricTokenFault(code: TokenFault, options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'TokenFault', options, { code });
  }

  /** Token writes that Secrets Manager or the write budget refused. */
  metricTokenWriteRefused(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'TokenWriteRefused', options);
  }

  /** Seconds until the first token expires; by default the minimum over five minutes. */
  metricTokenLifeLeft(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'TokenLifeLeft', {
      statistic: cloudwatch.Stats.MINIMUM,
      ...options,
    });
  }

  /** Duration of sweeps in milliseconds; by default the maximum over five minutes. No data means that no sweep finished. */
  metricSweepDuration(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'SweepDuration', {
      statistic: cloudwatch.Stats.MAXIMUM,
      ...options,
    });
  }

  /** Messages in the dead-letter queue: scheduled and asynchronous runs that failed or could not start. */
  metricDeadLetters(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return this.deadLetterQueue.metricApproximateNumberOfMessagesVisible({
      statistic: cloudwatch.Stats.MAXIMUM,
      ...options,
    });
  }

  /**
   * Lets token-sweep remove AWSPENDING from credentials whose rotation was abandoned. It reads no value for that.
   * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecretsmanager.html (VersionStage)
   */
  private allowEndingRotations(role: iam.IRole): void {
    const { all, patterns } = credentialArns(this, this.deployment);
    allow(role, ['secretsmanager:DescribeSecret', 'secretsmanager:ListSecretVersionIds'], all);
    allow(role, ['secretsmanager:UpdateSecretVersionStage'], all, {
      StringEquals: { 'secretsmanager:VersionStage': 'AWSPENDING' },
    });
    acknowledgeWildcards(ownPolicyOf(role), patterns, BY_PATH);
  }

  private allowSecrets(role: iam.IRole, keys: EncryptionKeys): void {
    const { encryptionKeyArn, formerKeyArns = [] } = keys;
    const credentials = credentialArns(this, this.deployment, ['client-credentials']);
    const tokens = [tokenArnPattern(this, this.deployment)];
    allow(role, ['secretsmanager:GetSecretValue', 'secretsmanager:DescribeSecret'], credentials.all);
    allow(
      role,
      ['secretsmanager:GetSecretValue', 'secretsmanager:DescribeSecret', 'secretsmanager:PutSecretValue'],
      tokens,
    );
    role.addToPrincipalPolicy(
      keyStatement(this, {
        keyArn: encryptionKeyArn,
        otherKeyArns: [...credentials.keys, ...formerKeyArns],
        secretArns: credentials.all,
        actions: ['kms:Decrypt'],
      }),
    );
    role.addToPrincipalPolicy(
      keyStatement(this, {
        keyArn: encryptionKeyArn,
        otherKeyArns: formerKeyArns,
        secretArns: tokens,
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        isReplicated: keys.isReplicated,
      }),
    );
    const replicas = [tokenArnPattern(this, this.deployment, '*', '*')];
    for (const statement of replicaKeyStatements(keys, replicas)) role.addToPrincipalPolicy(statement);
    acknowledgeWildcards(ownPolicyOf(role), [...credentials.patterns, ...tokens], BY_PATH);
  }
}

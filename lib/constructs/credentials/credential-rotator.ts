import { Duration, Stack } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

import { allow } from '../internal/allow';
import { type ProveEvent } from '../../../core/rotation/api-key-proof';
import { EVENT_TYPES } from '../../../core/events/change-events';
import { EVENT_MODULES } from '../../../core/events/event-environment';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { SWEEP_INTERVAL_SEC } from '../../../core/tokens/lifetimes';
import { RECORD_TAGS } from '../../../core/rotation/proof-record';
import { CREDENTIAL_KINDS } from '../../../core/secrets/secret-names';
import { deploymentText } from '../../../core/tokens/token-key';
import { renamedSecrets } from '../../options/adoption';
import { ownPolicyOf } from '../internal/acknowledge';
import { acknowledgeWildcards, BY_PATH } from '../internal/acknowledge-wildcards';
import { type DeploymentSettings, withDeployment } from '../deployment-settings';
import { allowSending, eventSender } from '../events/change-events';
import { SecretChanges } from '../events/secret-changes';
import { BundledFunction } from '../internal/bundled-function';
import { allowDescribing } from '../internal/allow-describing';
import { FunctionSchedule } from '../internal/function-schedule';
import { deploymentMetric } from '../observability/deployment-metric';
import { acknowledgeNoDeadLetters, deliverFailures } from '../internal/deliver-failures';
import { type EncryptionKeys, keyStatement, replicaKeyStatements } from '../internal/key-statement';
import { credentialArns } from '../internal/secret-arns';

/**
 * Lambda's defaults, for scheduled runs. They also apply to steps of a rotation that Secrets Manager starts asynchronously: one that
 * fails for good leaves a message in the queue.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
const RETRY_POLICY = { retryAttempts: 2, maxEventAge: Duration.hours(6) };

export interface CredentialRotatorProps {
  readonly deployment: DeploymentSettings;
  /** Receives starts and runs of the schedule that failed. */
  readonly deadLetterQueue: sqs.IQueue;
}

/**
 * Rotates the credentials of one deployment. Secrets Manager invokes rotate-credentials for each step, which tests the
 * credential that an operator staged against the platform and then makes it current.
 */
export class CredentialRotator extends Construct {
  readonly rotateCredentialsArn: string;
  readonly roleArn: string;
  /** Tries API keys that nobody has proven. Undefined if API keys open no restore API. */
  readonly schedule: FunctionSchedule | undefined;
  private readonly deployment: DeploymentFile;
  private readonly rotate: BundledFunction;

  constructor(scope: Construct, id: string, props: CredentialRotatorProps) {
    super(scope, id);
    const { deployment, deadLetterQueue } = withDeployment(this, props);
    this.deployment = deployment.file;
    const { eventBus } = deployment;
    const rotate = new BundledFunction(this, 'RotateCredentials', {
      bundleName: 'rotate-credentials',
      description: `rotate-credentials of ${deploymentText(deployment.file)}`,
      deployment,
      timeout: Duration.seconds(60),
      ...eventSender(eventBus, Object.values(EVENT_MODULES)),
    });
    this.rotate = rotate;
    this.rotateCredentialsArn = rotate.function.functionArn;
    this.roleArn = rotate.role.roleArn;
    this.allowSecrets(rotate.role, deployment.keys);
    allowSending(rotate, eventBus, [EVENT_TYPES.credentialRotated, EVENT_TYPES.credentialRevoked]);
    this.admitSecretsManager(rotate);
    if (this.deployment.restoreApi.acceptsApiKeys === true) {
      this.allowRecording(rotate.role);
      deliverFailures(rotate, { deadLetterQueue, ...RETRY_POLICY });
      if (this.deployment.trailEvents === true) {
        new SecretChanges(this, 'Changes', {
          deployment: this.deployment,
          consumer: rotate,
          kind: 'api-key',
        });
      }
      const interval = Duration.seconds(SWEEP_INTERVAL_SEC);
      this.schedule = new FunctionSchedule(this, 'ProofSchedule', {
        deployment,
        functionName: 'credential-proof',
        describedAs: 'rotate-credentials',
        function: rotate.function,
        event: { action: 'prove' } satisfies ProveEvent,
        interval,
        maxEventAge: interval,
        deadLetterQueue,
      });
    } else {
      acknowledgeNoDeadLetters(rotate);
    }
  }

  /** Rotations that made a tested credential current. */
  metricRotationSucceeded(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'RotationSucceeded', options);
  }

  /** Rotations that failed because the platform rejected the credential. */
  metricRotationRefused(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'RotationRefused', options);
  }

  /** Rotations that failed because the platform gave no usable answer, so the credential could not be tested. */
  metricRotationUntested(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'RotationUntested', options);
  }

  /** Rotations without a staged credential, such as scheduled ones that nobody prepared. */
  metricRotationCandidateMissing(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'RotationCandidateMissing', options);
  }

  /** Rotations that failed for any other reason. */
  metricRotationFailed(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'RotationFailed', options);
  }

  /** Throttled rotation steps. */
  metricThrottles(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return this.rotate.function.metricThrottles(options);
  }

  private allowSecrets(role: iam.IRole, encryption: EncryptionKeys): void {
    const { encryptionKeyArn, formerKeyArns = [] } = encryption;
    const { patterns, all, keys } = credentialArns(this, this.deployment);
    allow(
      role,
      [
        'secretsmanager:DescribeSecret',
        'secretsmanager:GetSecretValue',
        'secretsmanager:PutSecretValue',
        'secretsmanager:UpdateSecretVersionStage',
      ],
      all,
    );
    role.addToPrincipalPolicy(
      keyStatement(this, {
        keyArn: encryptionKeyArn,
        otherKeyArns: [...keys, ...formerKeyArns],
        secretArns: all,
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        isReplicated: encryption.isReplicated,
      }),
    );
    const replicas = credentialArns(this, this.deployment, CREDENTIAL_KINDS, '*').patterns;
    for (const statement of replicaKeyStatements(encryption, replicas)) role.addToPrincipalPolicy(statement);
    acknowledgeWildcards(ownPolicyOf(role), patterns, BY_PATH);
  }

  /**
   * Lets the function write which API keys are proven, and find out that a secret does not exist, which AWS otherwise denies.
   * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecretsmanager.html (aws:TagKeys)
   */
  private allowRecording(role: iam.IRole): void {
    const { patterns, all } = credentialArns(this, this.deployment, ['api-key']);
    allow(role, ['secretsmanager:TagResource'], all, {
      'ForAllValues:StringEquals': { 'aws:TagKeys': RECORD_TAGS },
    });
    acknowledgeWildcards(ownPolicyOf(role), patterns, BY_PATH);
    allowDescribing(role, this.deployment, ['api-key']);
  }

  /**
   * Lets Secrets Manager invoke the function for this deployment's credentials in this account only. AWS advises
   * against naming one secret, because the function could then serve only that one; a pattern covers all of them, and
   * each adopted secret with another name has a permission of its own.
   * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotating-secrets-required-permissions-function.html
   */
  private admitSecretsManager({ function: fn }: BundledFunction): void {
    const admit = (id: string, sourceArn: string) =>
      fn.addPermission(`SecretsManager-${id}`, {
        principal: new iam.ServicePrincipal('secretsmanager.amazonaws.com'),
        sourceAccount: Stack.of(this).account,
        sourceArn,
      });
    for (const kind of CREDENTIAL_KINDS) {
      for (const pattern of credentialArns(this, this.deployment, [kind]).patterns) admit(kind, pattern);
    }
    for (const { tenantId, kind, arn } of renamedSecrets(this.deployment, CREDENTIAL_KINDS)) {
      admit(`${tenantId}-${kind}`, arn);
    }
  }
}

import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import { type Construct } from 'constructs';

import { parameterName, type ParameterLeaf } from '../../contract/parameter-names';
import { type DeploymentFile } from '../../contract/deployment-file';
import { deploymentFileOf } from '../config/compose-deployment-file';
import { type Configuration, type DeploymentConfiguration } from '../config/schema';
import { AlarmTopic } from '../constructs/observability/alarm-topic';
import { type FunctionSettings } from '../constructs/internal/bundled-function';
import { viaService } from '../constructs/internal/key-statement';
import { logsStatement } from '../constructs/internal/log-encryption';
import { CredentialRotator } from '../constructs/credentials/credential-rotator';
import { CredentialWatch } from '../constructs/observability/credential-watch';
import { DeploymentAlarms } from '../constructs/observability/deployment-alarms';
import { DeploymentDashboard } from '../constructs/observability/deployment-dashboard';
import { OperatorPolicy } from '../constructs/internal/operator-policy';
import { SecretAudit } from '../constructs/observability/secret-audit';
import { RestoreApi } from '../constructs/restore/restore-api';
import { secretArnPattern } from '../constructs/internal/secret-arns';
import { TokenRefresher } from '../constructs/tokens/token-refresher';
import { deploymentPath } from '../../contract/secret-names';
import { addDeploymentOutputs } from './stack-outputs';

export interface DeploymentStackProps extends StackProps {
  readonly configuration: Configuration;
  readonly deployment: DeploymentConfiguration;
}

/** The stack of one deployment: key, functions, alarms, dashboard, and the parameters by which other stacks find them. */
export class DeploymentStack extends Stack {
  readonly tokenRefresher: TokenRefresher;
  readonly credentialRotator: CredentialRotator;
  readonly credentialWatch: CredentialWatch;
  /** Undefined if `restoreApi.enabled` is false. */
  readonly restoreApi: RestoreApi | undefined;
  readonly operatorPolicy: OperatorPolicy;
  readonly alarms: DeploymentAlarms;
  private readonly deploymentFile: DeploymentFile;

  constructor(scope: Construct, id: string, props: DeploymentStackProps) {
    super(scope, id, props);
    const { configuration, deployment } = props;
    this.deploymentFile = deploymentFileOf(configuration, deployment);
    const ownKey = deployment.kmsKeyArn === undefined ? this.createKey(deployment) : undefined;
    const encryptionKeyArn = deployment.kmsKeyArn ?? ownKey!.keyArn;
    const logKey = deployment.encryptLogsAndQueue
      ? (ownKey ?? kms.Key.fromKeyArn(this, 'LogKey', encryptionKeyArn))
      : undefined;

    const shared = {
      deployment: this.deploymentFile,
      encryptionKeyArn,
      formerKeyArns: deployment.formerKmsKeyArns,
      functionSettings: this.functionSettings(deployment, logKey),
    };
    this.tokenRefresher = new TokenRefresher(this, 'Tokens', {
      ...shared,
      reservedConcurrency: deployment.reservedConcurrency,
    });
    this.credentialRotator = new CredentialRotator(this, 'Rotation', {
      ...shared,
      deadLetterQueue: this.tokenRefresher.deadLetterQueue,
    });
    if (deployment.restoreApi.enabled) {
      this.restoreApi = new RestoreApi(this, 'Restore', {
        ...shared,
        tokenRefreshArn: this.tokenRefresher.tokenRefreshArn,
        ...deployment.restoreApi,
      });
      this.publish('restore-arn', this.restoreApi.restoreArn);
      this.publish('restore-api-url', this.restoreApi.url);
      this.publish('restore-log-group', this.restoreApi.logGroupName);
      this.publish('authorizer-arn', this.restoreApi.authorizerArn);
      this.publish('restore-usage-plan-id', this.restoreApi.usagePlanId);
      this.publish('restore-domain-target', this.restoreApi.domainTarget);
    }
    this.credentialWatch = new CredentialWatch(this, 'Watch', {
      ...shared,
      deadLetterQueue: this.tokenRefresher.deadLetterQueue,
      restoreArn: this.restoreApi?.restoreArn,
    });
    for (const account of readerAccountsOf(deployment.tenants))
      this.tokenRefresher.allowEnsureFreshFrom(account);
    this.operatorPolicy = new OperatorPolicy(this, 'Operator', {
      ...shared,
      functionArns: [
        this.tokenRefresher.tokenRefreshArn,
        this.tokenRefresher.tokenSweepArn,
        this.credentialWatch.credentialWatchArn,
      ],
      rotateCredentialsArn: this.credentialRotator.rotateCredentialsArn,
      schedules: [
        this.tokenRefresher.schedule,
        this.credentialWatch.schedule,
        this.credentialRotator.schedule,
      ].filter((schedule) => schedule !== undefined),
      restoreApi: this.restoreApi,
      signedRestoreApi: deployment.restoreApi.auth === 'iam' ? this.restoreApi : undefined,
    });
    const topic = this.alarmTopic(deployment, ownKey);
    const observed = {
      deployment: this.deploymentFile,
      tokenRefresher: this.tokenRefresher,
      credentialRotator: this.credentialRotator,
      credentialWatch: this.credentialWatch,
      restoreApi: this.restoreApi,
      thresholds: deployment.alarms,
    };
    this.alarms = new DeploymentAlarms(this, 'Alarms', { ...observed, topic });
    new DeploymentDashboard(this, 'Dashboard', { ...observed, alarms: this.alarms });
    if (deployment.auditSecrets) {
      new SecretAudit(this, 'Audit', {
        deployment: this.deploymentFile,
        encryptionKeyArn,
        functionRoleArns: [...new Set(Object.values(this.readers()).flat())],
        expectedReaders: deployment.secretReaders?.credentials,
        topic,
      });
    }

    this.publish('key-arn', encryptionKeyArn);
    this.publish('operator-policy-arn', this.operatorPolicy.managedPolicyArn);
    this.publish('alarm-topic-arn', topic.topicArn);
    this.publish('dead-letter-queue-url', this.tokenRefresher.deadLetterQueue.queueUrl);
    this.publish('token-refresh-arn', this.tokenRefresher.tokenRefreshArn);
    this.publish('token-sweep-arn', this.tokenRefresher.tokenSweepArn);
    this.publish('rotate-credentials-arn', this.credentialRotator.rotateCredentialsArn);
    this.publish('credential-watch-arn', this.credentialWatch.credentialWatchArn);
    if (deployment.secretReaders !== undefined) this.publishReaders();
    addDeploymentOutputs(this, configuration.prefix, deployment);
  }

  /** The roles that the policies of the tenants' secrets exempt from their denial. */
  private publishReaders(): void {
    for (const [leaf, roleArns] of Object.entries(this.readers()))
      this.publish(leaf as ParameterLeaf, roleArns.join(','));
  }

  /** The roles of our functions that read values, by the parameter that publishes them. */
  private readers(): Partial<Record<ParameterLeaf, string[]>> {
    const { tokenRefresher, credentialRotator, credentialWatch, restoreApi } = this;
    const present = (...arns: (string | undefined)[]) => arns.filter((arn) => arn !== undefined);
    return {
      'client-credentials-readers': [...tokenRefresher.roleArns, credentialRotator.roleArn],
      'api-key-readers': present(
        credentialRotator.roleArn,
        credentialWatch.roleArn,
        restoreApi?.authorizerRoleArn,
      ),
      'token-readers': present(
        ...tokenRefresher.roleArns,
        credentialWatch.roleArn,
        restoreApi?.restoreRoleArn,
        restoreApi?.authorizerRoleArn,
      ),
    };
  }

  /** The key policy lets identity policies of its own account decide; reader accounts may only decrypt tokens. */
  private createKey({ tenants, encryptLogsAndQueue }: DeploymentConfiguration): kms.Key {
    const { environment, platformRegion, prefix } = this.deploymentFile;
    const key = new kms.Key(this, 'Key', {
      description: `Latchkey secrets of ${environment} ${platformRegion}`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    if (encryptLogsAndQueue) key.addToResourcePolicy(logsStatement(this, prefix));
    const readers = readerAccountsOf(tenants);
    if (readers.length > 0) {
      // A pattern, to keep the policy small: each secret's own policy limits which token an account may read.
      const tokens = secretArnPattern(this, `${deploymentPath(prefix, this.deploymentFile)}/*/token/*`);
      key.addToResourcePolicy(
        new iam.PolicyStatement({
          principals: readers.map((account) => new iam.AccountPrincipal(account)),
          actions: ['kms:Decrypt'],
          resources: ['*'],
          conditions: {
            StringEquals: { 'kms:ViaService': viaService(this, 'secretsmanager') },
            StringLike: { 'kms:EncryptionContext:SecretARN': [tokens] },
          },
        }),
      );
    }
    return key;
  }

  private functionSettings(
    { vpc, logRetentionDays }: DeploymentConfiguration,
    encryptionKey: kms.IKey | undefined,
  ): FunctionSettings {
    const usual = { logRetention: logRetentionDays, encryptionKey };
    if (vpc === undefined) return usual;
    return {
      ...usual,
      network: {
        vpc: ec2.Vpc.fromVpcAttributes(this, 'Vpc', { vpcId: vpc.vpcId, availabilityZones: ['unused'] }),
        subnets: vpc.subnetIds.map((subnetId) => ec2.Subnet.fromSubnetId(this, subnetId, subnetId)),
        securityGroups: vpc.securityGroupIds.map((groupId) =>
          ec2.SecurityGroup.fromSecurityGroupId(this, groupId, groupId, { mutable: false }),
        ),
      },
    };
  }

  /** The configured topic, or a new one. */
  private alarmTopic({ alarms }: DeploymentConfiguration, encryptionKey: kms.Key | undefined): sns.ITopic {
    const { topicArn, emails } = alarms;
    if (topicArn !== undefined) return sns.Topic.fromTopicArn(this, 'Topic', topicArn);
    return new AlarmTopic(this, 'AlarmTopic', { deployment: this.deploymentFile, encryptionKey, emails })
      .topic;
  }

  /** Publishes an SSM parameter, if there is a value. */
  private publish(leaf: ParameterLeaf, stringValue: string | undefined): void {
    if (stringValue === undefined) return;
    new ssm.StringParameter(this, `Parameter-${leaf}`, {
      parameterName: parameterName(this.deploymentFile.prefix, this.deploymentFile, leaf),
      stringValue,
    });
  }
}

function readerAccountsOf(tenants: DeploymentConfiguration['tenants']): string[] {
  return [...new Set(tenants.flatMap(({ tokens }) => tokens.flatMap((token) => token.readerAccounts)))];
}

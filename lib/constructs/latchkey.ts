import { CfnResource, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import type * as events from 'aws-cdk-lib/aws-events';
import type * as sns from 'aws-cdk-lib/aws-sns';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';

import { type Metric } from '../../core/alarms/metrics';
import { parameterName, type ParameterLeaf } from '../../core/deployment/parameter-names';
import { type PlatformInterface, type ScopeOf } from '../../core/deployment/platform';
import { deploymentText, tenantKeyOf, tokenKeyOf, tokenName } from '../../core/tokens/token-key';
import { type TokenKey } from '../../core/tokens/published-keys';
import { checked } from '../options/checked-options';
import { DEPLOYMENT_KEY } from '../options/log-settings';
import { type CheckedOptions } from '../options/schema';
import { CredentialRotator } from './credentials/credential-rotator';
import {
  checkedProps,
  DeploymentSettings,
  type DeploymentSettingsProps,
  type IssuerDeploymentProps,
} from './deployment-settings';
import { type ChangeEventOptions, onChange } from './events/change-events';
import { checkWithOthers } from './internal/check-together';
import { accountStatement, requireInKeyPolicy } from './internal/key-policy';
import { viaService } from './internal/key-statement';
import { logsStatement } from './internal/log-encryption';
import { membersOf } from './internal/organization-members';
import { OperatorPolicy } from './internal/operator-policy';
import { requireTags } from './internal/required-tags';
import { tokenArnPattern } from './internal/secret-arns';
import {
  type ICreatedLatchkey,
  type ICreatedTenant,
  type ILatchkey,
  type LatchkeyAttributes,
  type LatchkeyLookupOptions,
  LatchkeyFromAttributes,
  LookedUpLatchkey,
} from './latchkey-reference';
import { LatchkeyTenant } from './latchkey-tenant';
import { admitAlarmsTo, AlarmTopic } from './observability/alarm-topic';
import { CredentialWatch } from './observability/credential-watch';
import { DeploymentAlarms } from './observability/deployment-alarms';
import { DeploymentDashboard } from './observability/deployment-dashboard';
import { deploymentMetric } from './observability/deployment-metric';
import { SecretAudit } from './observability/secret-audit';
import { ApiGatewayLogging } from './restore/api-gateway-logging';
import { RestoreApi } from './restore/restore-api';
import { TokenRefresher } from './tokens/token-refresher';
import { tokenOfOtherStack, type ITokenSecret } from './tokens/token-secret';

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const MAX_RESOURCES = 500;

export type LatchkeyProps = DeploymentSettingsProps;

/**
 * A deployment: everything that keeps the tokens and credentials of one environment and platform region alive. Creates the
 * key, functions, restore API, alarms, dashboard, operator policy, the SSM parameters by which others find them, and the
 * secrets of its tenants.
 */
export class Latchkey extends Construct implements ICreatedLatchkey, ec2.IConnectable {
  /**
   * A deployment of another stack in the same account and AWS region, by its SSM parameters, which are read when your stack
   * is deployed. No account is asked at synthesis.
   */
  static fromLookup(scope: Construct, id: string, options: LatchkeyLookupOptions): ILatchkey {
    return new LookedUpLatchkey(scope, id, options);
  }

  /** A deployment by what it published, for another account or AWS region. */
  static fromAttributes(scope: Construct, id: string, attributes: LatchkeyAttributes): ILatchkey {
    return new LatchkeyFromAttributes(scope, id, attributes);
  }

  readonly issuer: string | undefined;
  readonly environment: string;
  readonly platformRegion: string | undefined;
  readonly prefix: string;
  readonly encryptionKey: kms.IKey;
  readonly tokenRefresher: TokenRefresher;
  readonly credentialRotator: CredentialRotator;
  readonly credentialWatch: CredentialWatch;
  /** Undefined if `restoreApi.enabled` is false. */
  readonly restoreApi: RestoreApi | undefined;
  readonly operatorPolicy: OperatorPolicy;
  readonly alarmTopic: sns.ITopic;
  readonly alarms: DeploymentAlarms;
  /** Undefined if `dashboard` is false. */
  readonly dashboard: DeploymentDashboard | undefined;
  /** Gets the deployment's events. Undefined without `events`. */
  readonly eventBus: events.IEventBus | undefined;
  /** Those created here: none if `createTenants` is false. */
  readonly tenants: readonly LatchkeyTenant[];
  /** @internal */
  readonly settings: DeploymentSettings;
  /** @internal */
  readonly options: CheckedOptions;
  /** @internal The tenants whose constructs exist, by tenant id. */
  readonly createdTenants = new Map<string, ICreatedTenant>();
  private readonly networkConnections: ec2.Connections | undefined;

  /** @throws {ConfigurationError} lists every fault: the property, the value found, and what is allowed */
  constructor(scope: Construct, id: string, props: LatchkeyProps | IssuerDeploymentProps) {
    super(scope, id);
    const { options, resources } = checkedProps(this, this.node.path, props);
    const { prefix } = options;
    this.options = options;
    this.prefix = prefix;
    checkWithOthers(this);
    requireTags(this, options.requiredTags);
    const ownKey = options.kmsKeyArn === undefined ? this.createKey() : undefined;
    const encryptionKey = ownKey ?? resources.encryptionKey;
    const settings = checked(options, { ...resources, encryptionKey });
    this.settings = new DeploymentSettings(this, settings as object as LatchkeyProps);
    const deployment = this.settings;
    this.issuer = deployment.issuer;
    this.environment = deployment.environment;
    this.platformRegion = deployment.platformRegion;
    this.encryptionKey = deployment.encryptionKey;
    this.allowUseOfKeys();
    this.eventBus = deployment.eventBus;
    const { network } = deployment;
    this.networkConnections = network && new ec2.Connections({ securityGroups: network.securityGroups });
    this.tokenRefresher = new TokenRefresher(this, 'Tokens', { deployment });
    const { tokenRefresher } = this;
    const { deadLetterQueue } = tokenRefresher;
    this.credentialRotator = new CredentialRotator(this, 'Rotation', { deployment, deadLetterQueue });
    if (options.restoreApi.enabled) {
      this.restoreApi = new RestoreApi(this, 'Restore', { deployment, tokenRefresher });
      // Without the logging role, API Gateway refuses the stage.
      if (options.apiGatewayAccount === 'managed')
        this.restoreApi.node.addDependency(ApiGatewayLogging.of(this, { prefix, roles: options.roles }));
    }
    const { credentialRotator, restoreApi } = this;
    this.credentialWatch = new CredentialWatch(this, 'Watch', { deployment, deadLetterQueue, restoreApi });
    const { accounts, organizations } = this.foreignReaders();
    for (const account of accounts) tokenRefresher.allowEnsureFreshFrom(account);
    for (const id of organizations) tokenRefresher.allowEnsureFreshFromOrganization(id);
    const { credentialWatch } = this;
    const parts = { deployment, tokenRefresher, credentialRotator, credentialWatch, restoreApi };
    this.operatorPolicy = new OperatorPolicy(this, 'Operator', parts);
    if (deployment.alarmTopic !== undefined) admitAlarmsTo(this, deployment.alarmTopic, deployment);
    this.alarmTopic = deployment.alarmTopic ?? this.createAlarmTopic(ownKey);
    this.alarms = new DeploymentAlarms(this, 'Alarms', { ...parts, topic: this.alarmTopic });
    const { alarms } = this;
    this.dashboard = options.dashboard
      ? new DeploymentDashboard(this, 'Dashboard', { ...parts, alarms })
      : undefined;
    if (options.auditSecrets) {
      new SecretAudit(this, 'Audit', {
        deployment,
        functionRoleArns: [...new Set(Object.values(this.readers()).flat())],
        topic: this.alarmTopic,
      });
    }
    this.publishAll();
    this.tenants = options.createTenants ? this.createTenants() : [];
    if (this.tenants.length > 0) this.node.addValidation({ validate: () => this.tooManyTenants() });
  }

  /**
   * The security groups of the functions.
   * @throws {Error} without a VPC
   */
  get connections(): ec2.Connections {
    if (this.networkConnections !== undefined) return this.networkConnections;
    throw new Error(`${this.node.path}: vpc: found nothing; allowed for connections: a VPC`);
  }

  get tokenRefreshArn(): string {
    return this.tokenRefresher.tokenRefreshArn;
  }

  get restoreApiUrl(): string | undefined {
    return this.restoreApi?.url;
  }

  /**
   * One of the tenants' tokens.
   * @throws {Error} if no tenant declares it
   */
  token<Interface extends PlatformInterface | (string & {})>(
    tenantId: string,
    platformInterface: Interface,
    scope: ScopeOf<Interface>,
  ): ITokenSecret {
    const created = this.createdTenants.get(tenantId);
    if (created !== undefined && Stack.of(created) === Stack.of(this))
      return created.token(platformInterface, scope);
    this.requireToken(tenantId, platformInterface, scope);
    const tokenType = { interface: platformInterface, scope };
    const key = tokenKeyOf(tenantKeyOf(this.settings.file, tenantId), tokenType) as TokenKey;
    return tokenOfOtherStack(this, key, this.settings, this.tokenRefreshArn);
  }

  /** Grants requesting a valid token of any tenant from token-refresh. The response contains no token. */
  grantEnsureFresh(grantee: iam.IGrantable): iam.Grant {
    return this.tokenRefresher.grantEnsureFresh(grantee);
  }

  /**
   * Creates a rule for the event that a new token became current.
   * @throws {Error} without `events`, or with a bus of another account
   */
  onTokenRenewed(id: string, options?: ChangeEventOptions): events.Rule {
    return onChange(this, id, 'Token Renewed', this.eventBus, options);
  }

  /**
   * Creates a rule for the event that another version of a credential became current.
   * @throws {Error} without `events`, or with a bus of another account
   */
  onCredentialRotated(id: string, options?: ChangeEventOptions): events.Rule {
    return onChange(this, id, 'Credential Rotated', this.eventBus, options);
  }

  /**
   * Creates a rule for the event that the previous version of a credential was revoked.
   * @throws {Error} without `events`, or with a bus of another account
   */
  onCredentialRevoked(id: string, options?: ChangeEventOptions): events.Rule {
    return onChange(this, id, 'Credential Revoked', this.eventBus, options);
  }

  /** A metric that the functions of this deployment emit; by default the sum over five minutes. */
  metric(metricName: Metric, options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.settings.file, metricName, options);
  }

  private requireToken(tenantId: string, platformInterface: string, scope: string): void {
    const tenants = this.settings.file.tenants;
    const tenant = tenants.find((each) => each.tenantId === tenantId);
    if (tenant === undefined) {
      const allowed = tenants.map((each) => each.tenantId).join(', ') || 'none, because it has no tenants';
      throw new Error(`${this.node.path}: tenantId: found ${JSON.stringify(tenantId)}; allowed: ${allowed}`);
    }
    if (tenant.tokens.some((token) => token.interface === platformInterface && token.scope === scope)) return;
    const allowed = tenant.tokens.map(tokenName).join(', ');
    throw new Error(`${this.node.path}: token: found ${platformInterface} ${scope}; allowed: ${allowed}`);
  }

  private createKey(): kms.Key {
    return new kms.Key(this, 'Key', {
      description: `Latchkey secrets of ${deploymentText(this.options)}`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
  }

  /** Allows the uses of keys that identity policies of this account cannot allow, such as readers of other accounts. */
  private allowUseOfKeys(): void {
    const { encryptionKey: key, options, settings } = this;
    if (options.logsKmsKeyArn === DEPLOYMENT_KEY)
      requireInKeyPolicy(this, 'logsKmsKeyArn', key, [logsStatement(this)]);
    this.allowUseOfLogsAndTopicKeys();
    requireInKeyPolicy(this, settings.settingOf('encryptionKey'), key, this.readerStatements());
    for (const { region, kmsKeyArn } of settings.replicas) {
      if (kmsKeyArn === undefined) continue;
      const replicaKey = kms.Key.fromKeyArn(this, `ReplicaKey-${region}`, kmsKeyArn);
      requireInKeyPolicy(this, `replicaRegions (${region})`, replicaKey, this.readerStatements(region));
    }
  }

  /** What the policy of a key needs for readers of other accounts. @param replicaRegion the region of a replica key */
  private readerStatements(replicaRegion?: string): iam.PolicyStatement[] {
    const { accounts, organizations } = this.foreignReaders();
    // A pattern, to keep the policy small: each secret's own policy limits which token an account may read.
    // AWS does not say whether the context of a replica has its own ARN or that of its primary secret.
    const tokens = tokenArnPattern(this, this.settings.file, '*', replicaRegion && '*');
    const allow = (
      principals: iam.IPrincipal[],
      { StringEquals, ...more }: Partial<ReturnType<typeof membersOf>> = {},
    ) =>
      new iam.PolicyStatement({
        principals,
        actions: ['kms:Decrypt'],
        resources: ['*'],
        conditions: {
          StringEquals: {
            'kms:ViaService': viaService(this, 'secretsmanager', replicaRegion),
            ...StringEquals,
          },
          StringLike: { 'kms:EncryptionContext:SecretARN': [tokens] },
          ...more,
        },
      });
    return [
      ...(accounts.length > 0 ? [allow(accounts.map((account) => new iam.AccountPrincipal(account)))] : []),
      ...(organizations.length > 0 ? [allow([new iam.AnyPrincipal()], membersOf(organizations))] : []),
    ];
  }

  /** Lets CloudWatch Logs and IAM policies of this account use the keys of logs, queue and topic. */
  private allowUseOfLogsAndTopicKeys(): void {
    const { options } = this;
    const { logsKey, alarmTopicKey } = this.settings;
    if (logsKey !== undefined && options.logsKmsKeyArn !== DEPLOYMENT_KEY) {
      const statements = [logsStatement(this), accountStatement(this, 'sqs')];
      requireInKeyPolicy(this, this.settings.settingOf('logsEncryptionKey'), logsKey, statements);
    }
    if (alarmTopicKey !== undefined && options.auditSecrets)
      requireInKeyPolicy(this, this.settings.settingOf('alarmTopicKey'), alarmTopicKey, [
        accountStatement(this, 'sns'),
      ]);
  }

  private createAlarmTopic(encryptionKey: kms.Key | undefined): sns.ITopic {
    return new AlarmTopic(this, 'AlarmTopic', {
      deployment: this.settings,
      encryptionKey: this.settings.alarmTopicKey ?? encryptionKey,
    }).topic;
  }

  private createTenants(): LatchkeyTenant[] {
    return this.settings.tenantIds.map(
      (tenantId) => new LatchkeyTenant(this, `Tenant-${tenantId}`, { latchkey: this, tenantId }),
    );
  }

  /** CDK would only list the resources, not what to do. */
  private tooManyTenants(): string[] {
    const stack = Stack.of(this);
    const inStack = stack.node
      .findAll()
      .filter((each) => CfnResource.isCfnResource(each) && each.stack === stack);
    if (inStack.length <= MAX_RESOURCES) return [];
    return [
      `tenants: found ${this.tenants.length}, with which the stack has ${inStack.length} resources; ` +
        `allowed: at most ${MAX_RESOURCES} resources, or createTenants false and a LatchkeyTenant for each in other stacks`,
    ];
  }

  /** Who of other accounts may read a token of this deployment. */
  private foreignReaders(): { accounts: string[]; organizations: string[] } {
    const tokens = this.options.tenants.flatMap((tenant) => tenant.tokens);
    return {
      accounts: [...new Set(tokens.flatMap(({ readerAccounts }) => readerAccounts))],
      organizations: [...new Set(tokens.flatMap(({ readerOrganizations }) => readerOrganizations))],
    };
  }

  /** ARNs of the function roles that read secret values, by the SSM parameter that publishes them. @internal */
  readers(): Partial<Record<ParameterLeaf, string[]>> {
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

  /** What other stacks find by the parameters. */
  private publishAll(): void {
    const { tokenRefresher, restoreApi } = this;
    this.publish('restore-arn', restoreApi?.restoreArn);
    this.publish('restore-api-url', restoreApi?.url);
    this.publish('restore-log-group', restoreApi?.logGroupName);
    this.publish('authorizer-arn', restoreApi?.authorizerArn);
    this.publish('restore-usage-plan-id', restoreApi?.usagePlanId);
    this.publish('restore-domain-target', restoreApi?.domainTarget);
    this.publish('key-arn', this.encryptionKey.keyArn);
    this.publish('operator-policy-arn', this.operatorPolicy.managedPolicyArn);
    this.publish('alarm-topic-arn', this.alarmTopic.topicArn);
    this.publish('dead-letter-queue-url', tokenRefresher.deadLetterQueue.queueUrl);
    this.publish('token-refresh-arn', tokenRefresher.tokenRefreshArn);
    this.publish('token-sweep-arn', tokenRefresher.tokenSweepArn);
    this.publish('rotate-credentials-arn', this.credentialRotator.rotateCredentialsArn);
    this.publish('rotate-credentials-role-arn', this.credentialRotator.roleArn);
    this.publish('event-bus-arn', this.eventBus?.eventBusArn);
    this.publish('credential-watch-arn', this.credentialWatch.credentialWatchArn);
    if (this.options.secretReaders === undefined) return;
    for (const [leaf, roleArns] of Object.entries(this.readers()))
      this.publish(leaf as ParameterLeaf, roleArns.join(','));
  }

  private publish(leaf: ParameterLeaf, stringValue: string | undefined): void {
    if (stringValue === undefined) return;
    new ssm.StringParameter(this, `Parameter-${leaf}`, {
      parameterName: parameterName(this.prefix, this.settings.file, leaf),
      stringValue,
    });
  }
}

import { CfnResource, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import type * as events from 'aws-cdk-lib/aws-events';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type * as sns from 'aws-cdk-lib/aws-sns';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';

import { type Metric } from '../../core/alarms/metrics';
import { parameterName, type ParameterLeaf } from '../../core/deployment/parameter-names';
import {
  type Environment,
  type PlatformInterface,
  type PlatformRegion,
  type ScopeOf,
} from '../../core/deployment/platform';
import { deploymentPath } from '../../core/secrets/secret-names';
import { type TokenKey } from '../../core/tokens/token-key';
import { type AlarmThresholdOptions } from '../options/alarm-settings';
import { type DeploymentConfiguration, type WrittenConfiguration } from '../options/schema';
import { CredentialRotator } from './credentials/credential-rotator';
import { DeploymentSettings, type DeploymentSettingsProps } from './deployment-settings';
import {
  type ChangeEventOptions,
  eventBusOf,
  type EventOptions,
  onChange,
  writtenEvents,
} from './events/change-events';
import { checkWithOthers } from './internal/check-together';
import { checkTypes } from './internal/check-types';
import { accountStatement, requireInKeyPolicy } from './internal/key-policy';
import { viaService } from './internal/key-statement';
import { logsStatement } from './internal/log-encryption';
import { membersOf } from './internal/organization-members';
import { OperatorPolicy } from './internal/operator-policy';
import {
  type CodeSigningOptions,
  type FunctionOptions,
  type LogSubscriptionOptions,
  type TracingOptions,
} from './internal/part-options';
import { requireTags, type RequiredTagOptions } from './internal/required-tags';
import { secretArnPattern } from './internal/secret-arns';
import {
  checkProps,
  knownArn,
  placeOf,
  writtenCodeSigning,
  writtenLogSubscription,
  writtenRestoreApi,
  writtenRetention,
  writtenSettings,
  writtenTracing,
  writtenTags,
} from './internal/written-configuration';
import {
  type ILatchkey,
  type LatchkeyAttributes,
  type LatchkeyLookupOptions,
  DescribedLatchkey,
  FoundLatchkey,
} from './latchkey-reference';
import { LatchkeyTenant } from './latchkey-tenant';
import { AlarmTopic } from './observability/alarm-topic';
import { CredentialWatch } from './observability/credential-watch';
import { DeploymentAlarms } from './observability/deployment-alarms';
import { DeploymentDashboard } from './observability/deployment-dashboard';
import { deploymentMetric } from './observability/deployment-metric';
import { SecretAudit } from './observability/secret-audit';
import { ApiGatewayLogging } from './restore/api-gateway-logging';
import { RestoreApi, type RestoreApiOptions } from './restore/restore-api';
import { TokenRefresher } from './tokens/token-refresher';
import { knownToken, type ITokenSecret } from './tokens/token-secret';

/** The only principals that may read secret values, besides Latchkey's functions, whatever IAM policies allow. */
export interface SecretReadersOptions {
  /** A role for emergencies, which may read every secret if its own policies allow it. */
  readonly breakGlassRole: iam.IRole;
  /** ARNs of roles and users that may read credentials; `*` and `?` stand for characters of the name. @default none */
  readonly credentials?: readonly string[];
  /** The same for tokens. @default IAM policies alone decide about tokens */
  readonly tokens?: readonly string[];
}

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const MOST_RESOURCES = 500;

export interface LatchkeyProps extends DeploymentSettingsProps, FunctionOptions {
  /**
   * The key of the secrets. Its policy must let IAM policies of the account decide. Before you change it, list the old one in
   * `formerEncryptionKeys`. The policy of an imported key does not change: for readers of other accounts, and with
   * `encryptLogsAndQueue` for CloudWatch Logs, the synthesis says what its owner must add.
   * @default a new key, which stays when the stack is deleted
   */
  readonly encryptionKey?: kms.IKey;
  /** At most two keys that the secrets had before, while the key changes. @default none */
  readonly formerEncryptionKeys?: readonly kms.IKey[];
  /**
   * Other AWS regions to which Secrets Manager replicates tokens and credentials, except adopted secrets. A key must be in its
   * region; without one, other accounts cannot read the replicas. Names and keys must be known at synthesis.
   * @default none
   */
  readonly replicaRegions?: readonly secretsmanager.ReplicaRegion[];
  /**
   * Whether the tenants' secrets, rotation and alarms are created here. With `false`, each tenant needs a
   * {@link LatchkeyTenant}, usually in a stack of its own, so that one can be added or removed alone.
   * @default true
   */
  readonly createTenants?: boolean;
  /**
   * Whether to reserve a concurrency of one for each token function, so that a renewal costs one token request. Otherwise it may
   * cost one per process. An account whose quota of concurrent executions is 100 or less cannot reserve any.
   * @default false
   */
  readonly reserveConcurrency?: boolean;
  /** Encrypts log groups and the dead-letter queue with `encryptionKey`. @default keys of CloudWatch Logs and SQS */
  readonly encryptLogsAndQueue?: boolean;
  /**
   * Encrypts log groups and the dead-letter queue. The policy of a key of your app gets what that takes; for an imported key, the
   * synthesis says what its owner must add. Not together with `encryptLogsAndQueue`.
   * @default keys of CloudWatch Logs and SQS
   */
  readonly logsEncryptionKey?: kms.IKey;
  /** Delivers the lines of every log group. @default nowhere */
  readonly logSubscription?: LogSubscriptionOptions;
  /** Has Lambda accept only code that was signed by AWS Signer. @default code is not signed */
  readonly codeSigning?: CodeSigningOptions;
  /** Records traces of every function and of the restore API. @default no traces */
  readonly tracing?: TracingOptions;
  /**
   * Notifies when others than `secretReaders.credentials` and Latchkey's functions read a credential, and when a secret is
   * deleted or copied, its policy changed, or the key disabled. Requires a CloudTrail trail.
   * @default false
   */
  readonly auditSecrets?: boolean;
  /** Whether to create a CloudWatch dashboard of alarms and metrics. @default true */
  readonly dashboard?: boolean;
  /** @default IAM policies alone decide */
  readonly secretReaders?: SecretReadersOptions;
  /** Notified by the alarms. If it is encrypted, its key policy must allow CloudWatch. @default a new, encrypted topic */
  readonly alarmTopic?: sns.ITopic;
  /**
   * Encrypts the new topic, not together with `alarmTopic`. Its policy is treated like that of `logsEncryptionKey`.
   * @default the deployment's key, or with `encryptionKey` a new one
   */
  readonly alarmTopicKey?: kms.IKey;
  /** E-mail addresses to notify, not together with `alarmTopic`. Each recipient must confirm a message. @default none */
  readonly alarmEmails?: readonly string[];
  /** Sends an event when a token was renewed, or a credential rotated or revoked. @default no events */
  readonly events?: EventOptions;
  /** @default those of each threshold */
  readonly alarmThresholds?: AlarmThresholdOptions;
  /** Who may call the restore API, how often, and at which address. @default those of each option */
  readonly restoreApiOptions?: RestoreApiOptions;
  /**
   * Whether to create API Gateway's logging role, once per stack. It replaces one that the account has in this region, for all
   * APIs there. `false` if you have set it up.
   * @default true
   */
  readonly apiGatewayLogging?: boolean;
  /** Tags without which a synthesis fails. CDK's `Tags` add them, for example to your app. @default none */
  readonly requiredTags?: readonly RequiredTagOptions[];
}

/**
 * A deployment: everything that keeps the tokens and credentials of one environment and platform region alive. Creates the
 * key, functions, restore API, alarms, dashboard, operator policy, the SSM parameters by which others find them, and the
 * secrets of its tenants.
 */
export class Latchkey extends Construct implements ILatchkey, ec2.IConnectable {
  /**
   * A deployment of another stack in the same account and AWS region, by its SSM parameters, which are read when your stack
   * is deployed. No account is asked at synthesis.
   */
  static fromLookup(scope: Construct, id: string, options: LatchkeyLookupOptions): ILatchkey {
    return new FoundLatchkey(scope, id, options);
  }

  /** A deployment by what it published, for another account or AWS region. */
  static fromAttributes(scope: Construct, id: string, attributes: LatchkeyAttributes): ILatchkey {
    return new DescribedLatchkey(scope, id, attributes);
  }

  readonly environment: Environment;
  readonly platformRegion: PlatformRegion;
  readonly prefix: string;
  readonly encryptionKey: kms.IKey;
  readonly tokenRefresher: TokenRefresher;
  readonly credentialRotator: CredentialRotator;
  readonly credentialWatch: CredentialWatch;
  /** Undefined if `restoreApi` is false. */
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
  /** @internal With every default filled in. */
  readonly configured: DeploymentConfiguration;
  /** @internal */
  readonly props: LatchkeyProps;
  /** @internal As a configuration file has it. */
  readonly written: WrittenConfiguration;
  /** @internal The tenants that have their resources. */
  readonly created = new Map<string, LatchkeyTenant>();
  private readonly networkConnections: ec2.Connections | undefined;

  /** @throws {ConfigurationError} lists every fault: the property, the value found, and what is allowed */
  constructor(scope: Construct, id: string, props: LatchkeyProps) {
    super(scope, id);
    checkTypes(this.node.path, props);
    this.props = props;
    const hasLogging = props.apiGatewayLogging ?? true;
    this.written = {
      ...writtenSettings(props, this.writtenMore()),
      requiredTags: writtenTags(props),
      apiGatewayAccount: hasLogging ? 'managed' : 'existing',
    };
    this.configured = checkProps(this.node.path, this.written).configured;
    this.settings = new DeploymentSettings(props);
    const { environment, platformRegion, prefix } = this.settings;
    this.environment = environment;
    this.platformRegion = platformRegion;
    this.prefix = prefix;
    checkWithOthers(this);
    requireTags(this, props.requiredTags ?? []);

    const ownKey = props.encryptionKey === undefined ? this.createKey() : undefined;
    this.encryptionKey = props.encryptionKey ?? ownKey!;
    this.allowUseOfKey();
    this.eventBus = eventBusOf(this, props.events);
    const securityGroups = props.securityGroups ?? this.createSecurityGroup();
    this.networkConnections = securityGroups && new ec2.Connections({ securityGroups: [...securityGroups] });
    const shared = {
      deployment: this.settings,
      encryptionKey: this.encryptionKey,
      formerEncryptionKeys: props.formerEncryptionKeys,
      replicaRegions: props.replicaRegions,
      logRetention: props.logRetention,
      logEncryptionKey: props.encryptLogsAndQueue === true ? this.encryptionKey : props.logsEncryptionKey,
      logSubscription: props.logSubscription,
      codeSigning: props.codeSigning,
      tracing: props.tracing,
      vpc: props.vpc,
      vpcSubnets: props.vpcSubnets,
      securityGroups,
    };
    this.tokenRefresher = new TokenRefresher(this, 'Tokens', {
      ...shared,
      reserveConcurrency: props.reserveConcurrency,
      eventBus: this.eventBus,
    });
    const { deadLetterQueue } = this.tokenRefresher;
    this.credentialRotator = new CredentialRotator(this, 'Rotation', {
      ...shared,
      deadLetterQueue,
      eventBus: this.eventBus,
    });
    if (props.restoreApi ?? true) {
      const { tokenRefresher } = this;
      this.restoreApi = new RestoreApi(this, 'Restore', {
        ...shared,
        tokenRefresher,
        ...props.restoreApiOptions,
      });
      // Without the logging role, API Gateway refuses the stage.
      if (hasLogging) {
        const { prefix, roles } = this.settings;
        this.restoreApi.node.addDependency(ApiGatewayLogging.of(this, { prefix, roles }));
      }
    }
    const { restoreApi } = this;
    this.credentialWatch = new CredentialWatch(this, 'Watch', { ...shared, deadLetterQueue, restoreApi });
    const { accounts, organizations } = this.foreignReaders();
    for (const account of accounts) this.tokenRefresher.allowEnsureFreshFrom(account);
    for (const id of organizations) this.tokenRefresher.allowEnsureFreshFromOrganization(id);
    const parts = {
      deployment: this.settings,
      tokenRefresher: this.tokenRefresher,
      credentialRotator: this.credentialRotator,
      credentialWatch: this.credentialWatch,
      restoreApi,
    };
    this.operatorPolicy = new OperatorPolicy(this, 'Operator', { ...shared, ...parts });
    this.alarmTopic = props.alarmTopic ?? this.createAlarmTopic(ownKey);
    const thresholds = props.alarmThresholds;
    this.alarms = new DeploymentAlarms(this, 'Alarms', { ...parts, thresholds, topic: this.alarmTopic });
    const { alarms } = this;
    this.dashboard =
      (props.dashboard ?? true)
        ? new DeploymentDashboard(this, 'Dashboard', { ...parts, thresholds, alarms })
        : undefined;
    if (props.auditSecrets === true) {
      new SecretAudit(this, 'Audit', {
        deployment: this.settings,
        encryptionKey: this.encryptionKey,
        functionRoleArns: [...new Set(Object.values(this.readers()).flat())],
        expectedReaders: props.secretReaders?.credentials,
        topic: this.alarmTopic,
      });
    }
    this.publishAll();
    this.tenants = (props.createTenants ?? true) ? this.createTenants() : [];
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
  token<Interface extends PlatformInterface>(
    tenantId: string,
    platformInterface: Interface,
    scope: ScopeOf<Interface>,
  ): ITokenSecret {
    const created = this.created.get(tenantId);
    if (created !== undefined && Stack.of(created) === Stack.of(this))
      return created.token(platformInterface, scope);
    this.requireToken(tenantId, platformInterface, scope);
    const { environment, platformRegion, prefix } = this;
    return knownToken(
      this,
      { environment, platformRegion, tenantId, interface: platformInterface, scope } as TokenKey,
      {
        prefix,
        encryptionKeys: [this.encryptionKey, ...(this.props.formerEncryptionKeys ?? [])],
        replicaRegions: this.props.replicaRegions,
        tokenRefreshArn: this.tokenRefreshArn,
      },
    );
  }

  /** Grants requesting a valid token of any tenant from token-refresh. The response contains no token. */
  grantEnsureFresh(grantee: iam.IGrantable): iam.Grant {
    return this.tokenRefresher.grantEnsureFresh(grantee);
  }

  /** Creates a rule for the event that another token became current. @throws {Error} without `events` */
  onTokenRenewed(id: string, options?: ChangeEventOptions): events.Rule {
    return onChange(this, id, 'Token Renewed', this.eventBus, options);
  }

  /** Creates a rule for the event that another version of a credential became current. @throws {Error} without `events` */
  onCredentialRotated(id: string, options?: ChangeEventOptions): events.Rule {
    return onChange(this, id, 'Credential Rotated', this.eventBus, options);
  }

  /** Creates a rule for the event that the previous version of a credential was revoked. @throws {Error} without `events` */
  onCredentialRevoked(id: string, options?: ChangeEventOptions): events.Rule {
    return onChange(this, id, 'Credential Revoked', this.eventBus, options);
  }

  /** A metric that the functions of this deployment emit; by default the sum over five minutes. */
  metric(metricName: Metric, options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.settings, metricName, options);
  }

  private requireToken(tenantId: string, platformInterface: string, scope: string): void {
    const tenants = this.settings.file.tenants;
    const tenant = tenants.find((each) => each.tenantId === tenantId);
    if (tenant === undefined) {
      const allowed = tenants.map((each) => each.tenantId).join(', ') || 'none, because it has no tenants';
      throw new Error(`${this.node.path}: tenantId: found ${JSON.stringify(tenantId)}; allowed: ${allowed}`);
    }
    if (tenant.tokens.some((token) => token.interface === platformInterface && token.scope === scope)) return;
    const allowed = tenant.tokens.map((token) => `${token.interface} ${token.scope}`).join(', ');
    throw new Error(`${this.node.path}: token: found ${platformInterface} ${scope}; allowed: ${allowed}`);
  }

  private writtenMore(): Parameters<typeof writtenSettings>[1] {
    const { props } = this;
    const { secretReaders, restoreApiOptions = {} } = props;
    return {
      ...placeOf(this),
      restoreApi: writtenRestoreApi(restoreApiOptions),
      reservedConcurrency: props.reserveConcurrency === true ? 1 : 'none',
      kmsKeyArn: knownArn(props.encryptionKey?.keyArn, 'kms'),
      formerKmsKeyArns: props.formerEncryptionKeys?.map(({ keyArn }) => knownArn(keyArn, 'kms')!),
      encryptLogsAndQueue: props.encryptLogsAndQueue,
      logsKmsKeyArn: knownArn(props.logsEncryptionKey?.keyArn, 'kms'),
      logSubscription: writtenLogSubscription(props.logSubscription),
      codeSigning: writtenCodeSigning(props.codeSigning),
      tracing: writtenTracing(props.tracing),
      auditSecrets: props.auditSecrets,
      dashboard: props.dashboard,
      secretReaders: secretReaders && {
        breakGlassRoleArn: knownArn(secretReaders.breakGlassRole.roleArn, 'iam')!,
        credentials: secretReaders.credentials?.map((arn) => knownArn(arn, 'iam')!),
        tokens: secretReaders.tokens?.map((arn) => knownArn(arn, 'iam')!),
      },
      events: props.events && writtenEvents(props.events),
      replicaRegions: props.replicaRegions?.map(({ region, encryptionKey: key }) =>
        key === undefined ? region : { region, kmsKeyArn: knownArn(key.keyArn, 'kms', { region }) },
      ),
      logRetentionDays: writtenRetention(props.logRetention),
      alarms: {
        topicArn: knownArn(props.alarmTopic?.topicArn, 'sns'),
        topicKmsKeyArn: knownArn(props.alarmTopicKey?.keyArn, 'kms'),
        emails: props.alarmEmails && [...props.alarmEmails],
        ...props.alarmThresholds,
      },
    };
  }

  private createKey(): kms.Key {
    return new kms.Key(this, 'Key', {
      description: `Latchkey secrets of ${this.environment} ${this.platformRegion}`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
  }

  /** Identity policies of its own account decide about the rest: readers of other accounts may only decrypt tokens. */
  private allowUseOfKey(): void {
    const { encryptionKey: key, props } = this;
    if (props.encryptLogsAndQueue === true)
      requireInKeyPolicy(this, 'encryptLogsAndQueue', key, [logsStatement(this)]);
    this.allowUseOfOtherKeys();
    requireInKeyPolicy(this, 'kmsKeyArn', key, this.readerStatements());
    for (const { region, encryptionKey } of props.replicaRegions ?? []) {
      if (encryptionKey === undefined) continue;
      requireInKeyPolicy(this, `replicaRegions (${region})`, encryptionKey, this.readerStatements(region));
    }
  }

  /** What the policy of a key needs for readers of other accounts. @param replicaRegion where the key is, if it is one of replicas */
  private readerStatements(replicaRegion?: string): iam.PolicyStatement[] {
    const { accounts, organizations } = this.foreignReaders();
    // A pattern, to keep the policy small: each secret's own policy limits which token an account may read.
    const tokens = secretArnPattern(this, `${deploymentPath(this.prefix, this)}/*/token/*`, {
      // AWS does not say whether the context of a replica has its own ARN or that of its primary secret.
      region: replicaRegion && '*',
    });
    const allow = (
      principals: iam.IPrincipal[],
      { StringEquals, ...more }: Partial<ReturnType<typeof membersOf>> = {},
    ) =>
      new iam.PolicyStatement({
        ...{ principals, actions: ['kms:Decrypt'], resources: ['*'] },
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

  /** The roles of functions, schedules and rules have policies for these keys. */
  private allowUseOfOtherKeys(): void {
    const { logsEncryptionKey, alarmTopicKey, auditSecrets } = this.props;
    if (logsEncryptionKey !== undefined) {
      const statements = [logsStatement(this), accountStatement(this, 'sqs')];
      requireInKeyPolicy(this, 'logsKmsKeyArn', logsEncryptionKey, statements);
    }
    if (alarmTopicKey !== undefined && auditSecrets === true)
      requireInKeyPolicy(this, 'alarms.topicKmsKeyArn', alarmTopicKey, [accountStatement(this, 'sns')]);
  }

  private createSecurityGroup(): ec2.ISecurityGroup[] | undefined {
    const { vpc } = this.props;
    if (vpc === undefined) return undefined;
    const description = `Latchkey functions of ${this.environment} ${this.platformRegion}`;
    return [new ec2.SecurityGroup(this, 'SecurityGroup', { vpc, description })];
  }

  private createAlarmTopic(encryptionKey: kms.Key | undefined): sns.ITopic {
    const { alarmEmails: emails, alarmTopicKey } = this.props;
    return new AlarmTopic(this, 'AlarmTopic', {
      deployment: this.settings,
      encryptionKey: alarmTopicKey ?? encryptionKey,
      emails,
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
    if (inStack.length <= MOST_RESOURCES) return [];
    return [
      `tenants: found ${this.tenants.length}, with which the stack has ${inStack.length} resources; ` +
        `allowed: at most ${MOST_RESOURCES} resources, or createTenants false and a LatchkeyTenant for each in other stacks`,
    ];
  }

  /** Who of other accounts may read a token of this deployment. */
  private foreignReaders(): { accounts: string[]; organizations: string[] } {
    const tokens = this.configured.tenants.flatMap((tenant) => tenant.tokens);
    return {
      accounts: [...new Set(tokens.flatMap(({ readerAccounts }) => readerAccounts))],
      organizations: [...new Set(tokens.flatMap(({ readerOrganizations }) => readerOrganizations))],
    };
  }

  /** The roles of our functions that read values, by the parameter that publishes them. @internal */
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
    if (this.props.secretReaders === undefined) return;
    for (const [leaf, roleArns] of Object.entries(this.readers()))
      this.publish(leaf as ParameterLeaf, roleArns.join(','));
  }

  private publish(leaf: ParameterLeaf, stringValue: string | undefined): void {
    if (stringValue === undefined) return;
    new ssm.StringParameter(this, `Parameter-${leaf}`, {
      parameterName: parameterName(this.prefix, this, leaf),
      stringValue,
    });
  }
}

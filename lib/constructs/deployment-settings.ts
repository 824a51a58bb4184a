import { Stack, Token } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as events from 'aws-cdk-lib/aws-events';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';
import { type Construct } from 'constructs';

import { isJsonObject } from '../../core/json/json-object';
import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { deploymentKeyOf, deploymentText } from '../../core/tokens/token-key';
import { type DeploymentKey } from '../../core/tokens/public-keys';
import { checkOptions, isChecked } from '../options/checked-options';
import { deploymentFileOf } from '../options/compose-deployment-file';
import { issueLine } from '../options/configuration-issue';
import { ConfigurationError } from '../options/configuration-error';
import { type IssuerOptions } from '../options/issuer-options';
import { type LatchkeyOptions } from '../options/latchkey-options';
import { DEPLOYMENT_KEY } from '../options/log-settings';
import { type Replica, replicasOf } from '../options/replica-regions-settings';
import { type CheckedOptions } from '../options/schema';
import { authoritiesPemOf } from './internal/authorities-file';
import { type EncryptionKeys } from './internal/key-statement';
import { checkResources, type LatchkeyResources, writtenName } from './latchkey-resources';

/** Options of a deployment: those of a configuration file, and resources of your app. */
export interface DeploymentSettingsProps extends LatchkeyOptions {
  /** Keys, a topic, a bus and a network of your app. @default those that the options name, or new ones */
  readonly resources?: LatchkeyResources;
}

/** The same, if another issuer than the learning platform issues the tokens. */
export interface IssuerDeploymentProps extends IssuerOptions {
  /** Keys, a topic, a bus and a network of your app. @default those that the options name, or new ones */
  readonly resources?: LatchkeyResources;
}

/**
 * Checks the options of a construct.
 * @throws {ConfigurationError} lists every fault: the option, the value found, and what is allowed
 */
export function checkedProps(
  scope: Construct,
  place: string,
  props: object,
): { options: CheckedOptions; resources: LatchkeyResources } {
  if (!isJsonObject(props))
    throw new ConfigurationError(place, [issueLine({ path: ['props'], found: props, allowed: 'an object' })]);
  if (isChecked(props)) return { options: props, resources: props.resources ?? {} };
  const { account, region } = Stack.of(scope);
  const stack = { account: ifKnown(account), region: ifKnown(region) };
  const { resources, replacements, issues } = checkResources(props);
  return { options: checkOptions(place, props, stack, replacements, issues), resources };
}

function ifKnown(value: string): string | undefined {
  return Token.isUnresolved(value) ? undefined : value;
}

/** Where functions run. */
export interface FunctionNetwork {
  readonly vpc: ec2.IVpc;
  readonly subnets: ec2.SubnetSelection | undefined;
  readonly securityGroups: ec2.ISecurityGroup[];
}

/**
 * What a deployment serves, for its parts. A {@link Latchkey} makes its own; you need one only to compose the parts yourself.
 */
export class DeploymentSettings {
  readonly key: DeploymentKey;
  /** The name of the issuer's profile. Undefined for the built-in platform. */
  readonly issuer: string | undefined;
  readonly environment: string;
  /** Undefined if the issuer has no regions. */
  readonly platformRegion: string | undefined;
  /** Prefix of the names of secrets, parameters, alarms and the dashboard. */
  readonly prefix: string;
  readonly tenantIds: readonly string[];
  /** The key that every secret gets. */
  readonly encryptionKey: kms.IKey;
  /** Gets the deployment's events. Undefined without `events`. */
  readonly eventBus: events.IEventBus | undefined;
  /** @internal With every default filled in. */
  readonly options: CheckedOptions;
  /** @internal */
  readonly file: DeploymentFile;
  /** @internal Certificates in PEM, to deploy with the functions. */
  readonly authoritiesPem: string | undefined;
  /** @internal The keys of secrets, for policies. */
  readonly keys: EncryptionKeys;
  /** @internal AWS regions with replicas of the secrets. */
  readonly replicas: readonly Replica[];
  /** @internal The key of log groups and of the dead-letter queue. */
  readonly logsKey: kms.IKey | undefined;
  /** @internal The key of a new alarm topic. Undefined if that topic gets a key of its own. */
  readonly alarmTopicKey: kms.IKey | undefined;
  /** @internal The app's alarm topic. Undefined if the deployment creates one. */
  readonly alarmTopic: sns.ITopic | undefined;
  /** @internal */
  readonly network: FunctionNetwork | undefined;
  /** @internal How the app names a resource, for messages. */
  readonly nameOf: (resource: keyof LatchkeyResources) => string;

  /**
   * @param scope of resources that are imported by their ARNs
   * @throws {ConfigurationError} lists every fault: the option, the value found, and what is allowed
   */
  constructor(scope: Construct, props: DeploymentSettingsProps | IssuerDeploymentProps) {
    const { options, resources } = checkedProps(scope, 'DeploymentSettings', props);
    this.options = options;
    this.nameOf = (resource) => writtenName(resources, resource);
    this.file = deploymentFileOf(options);
    this.key = deploymentKeyOf(this.file) as DeploymentKey;
    this.issuer = this.key.issuer;
    this.environment = this.key.environment;
    this.platformRegion = this.key.platformRegion;
    this.prefix = options.prefix;
    this.tenantIds = options.tenants.map(({ tenantId }) => tenantId);
    const { certificateAuthorities: authorities } = options;
    this.authoritiesPem = authoritiesPemOf(
      authorities && 'file' in authorities ? authorities.file : undefined,
    );
    const keyOf = (id: string, arn: string | undefined) =>
      arn === undefined ? undefined : kms.Key.fromKeyArn(scope, id, arn);
    const { kmsKeyArn, logsKmsKeyArn, alarms, replicaRegions } = options;
    const encryptionKey = resources.encryptionKey ?? keyOf('KmsKey', kmsKeyArn);
    if (encryptionKey === undefined) {
      const allowed = 'a kms.IKey, or its ARN as kmsKeyArn';
      const issue = { path: ['resources', 'encryptionKey'], found: undefined, allowed };
      throw new ConfigurationError('DeploymentSettings', [issueLine(issue)]);
    }
    this.encryptionKey = encryptionKey;
    this.logsKey =
      logsKmsKeyArn === DEPLOYMENT_KEY
        ? encryptionKey
        : (resources.logsEncryptionKey ?? keyOf('LogsKmsKey', logsKmsKeyArn));
    this.alarmTopicKey = resources.alarmTopicKey ?? keyOf('TopicKmsKey', alarms.topicKmsKeyArn);
    this.alarmTopic =
      resources.alarmTopic ??
      (alarms.topicArn === undefined ? undefined : sns.Topic.fromTopicArn(scope, 'Topic', alarms.topicArn));
    this.replicas = replicasOf(replicaRegions);
    this.keys = {
      encryptionKeyArn: encryptionKey.keyArn,
      formerKeyArns: options.formerKmsKeyArns ?? [],
      isReplicated: this.replicas.length > 0,
      replicaKeyArns: this.replicas.flatMap((replica) => replica.kmsKeyArn ?? []),
    };
    this.eventBus = resources.eventBus ?? eventBusOf(scope, options.events);
    this.network = networkOf(scope, options, resources);
  }
}

/**
 * The properties of a part of a deployment.
 * @throws {ConfigurationError} without a deployment, which JavaScript would let in
 */
export function withDeployment<Props extends { readonly deployment: DeploymentSettings }>(
  scope: Construct,
  props: Props,
): Props {
  const found = (props as Partial<Props> | undefined)?.deployment;
  if ((found as Partial<DeploymentSettings> | null | undefined)?.file !== undefined) return props;
  const issue = { path: ['deployment'], found, allowed: 'a DeploymentSettings' };
  throw new ConfigurationError(scope.node.path, [issueLine(issue)]);
}

/** Whether none of the chosen subnets has a route out, as far as CDK knows. */
function isIsolated(vpc: ec2.IVpc, selection: ec2.SubnetSelection | undefined): boolean {
  const { isPendingLookup = false, subnetIds } = vpc.selectSubnets(selection);
  const isolated = vpc.isolatedSubnets.map(({ subnetId }) => subnetId);
  return !isPendingLookup && subnetIds.every((id) => isolated.includes(id));
}

function noWayOut(scope: Construct): ConfigurationError {
  return new ConfigurationError(scope.node.path, [
    'resources.vpc: found isolated subnets; allowed: subnets with a way out to the platform, or a proxy',
  ]);
}

function eventBusOf(scope: Construct, option: CheckedOptions['events']): events.IEventBus | undefined {
  if (option === undefined) return undefined;
  return option === true
    ? events.EventBus.fromEventBusName(scope, 'EventBus', 'default')
    : events.EventBus.fromEventBusArn(scope, 'EventBus', option.eventBusArn);
}

function networkOf(
  scope: Construct,
  options: CheckedOptions,
  { vpc, vpcSubnets, securityGroups }: LatchkeyResources,
): FunctionNetwork | undefined {
  const { proxy, vpc: option } = options;
  if (vpc !== undefined) {
    if (proxy === undefined && isIsolated(vpc, vpcSubnets)) throw noWayOut(scope);
    const description = `Latchkey functions of ${deploymentText(options)}`;
    const groups = securityGroups ?? [new ec2.SecurityGroup(scope, 'SecurityGroup', { vpc, description })];
    return { vpc, subnets: vpcSubnets, securityGroups: [...groups] };
  }
  if (option === undefined) return undefined;
  const { vpcId, subnetIds, securityGroupIds } = option;
  return {
    vpc: ec2.Vpc.fromVpcAttributes(scope, 'Vpc', { vpcId, availabilityZones: ['unused'] }),
    subnets: { subnets: subnetIds.map((id) => ec2.Subnet.fromSubnetId(scope, id, id)) },
    securityGroups: securityGroupIds.map((id) =>
      ec2.SecurityGroup.fromSecurityGroupId(scope, id, id, { mutable: false }),
    ),
  };
}

import { Stack, Token } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';
import { type Construct } from 'constructs';

import { isJsonObject } from '../../core/json/json-object';
import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { deploymentKeyOf } from '../../core/tokens/token-key';
import { type DeploymentKey } from '../../core/tokens/published-keys';
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
import { type FunctionNetwork, networkOf } from './internal/function-network';
import { type EncryptionKeys } from './internal/key-statement';
import { checkResources, type LatchkeyResources, settingOf } from './latchkey-resources';

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
  source: string,
  props: object,
): { options: CheckedOptions; resources: LatchkeyResources } {
  if (!isJsonObject(props))
    throw new ConfigurationError(source, [
      issueLine({ path: ['props'], found: props, allowed: 'an object' }),
    ]);
  if (isChecked(props)) return { options: props, resources: props.resources ?? {} };
  const { account, region } = Stack.of(scope);
  const stack = { account: ifKnown(account), region: ifKnown(region) };
  const { resources, replacements, issues } = checkResources(props);
  return { options: checkOptions(source, props, stack, replacements, issues), resources };
}

function ifKnown(value: string): string | undefined {
  return Token.isUnresolved(value) ? undefined : value;
}

/**
 * The checked settings of a deployment, which each of its parts gets. A {@link Latchkey} makes its own; you need one only to compose the parts yourself.
 */
export class DeploymentSettings {
  readonly key: DeploymentKey;
  /** The name of the issuer's profile. Undefined for the learning platform. */
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
  private readonly resources: LatchkeyResources;

  /**
   * @param scope of resources that are imported by their ARNs
   * @throws {ConfigurationError} lists every fault: the option, the value found, and what is allowed
   */
  constructor(scope: Construct, props: DeploymentSettingsProps | IssuerDeploymentProps) {
    const { options, resources } = checkedProps(scope, 'DeploymentSettings', props);
    this.options = options;
    this.resources = resources;
    this.file = deploymentFileOf(options);
    this.authoritiesPem = authoritiesPemOf(options.certificateAuthorities);
    this.key = deploymentKeyOf(this.file) as DeploymentKey;
    this.issuer = this.key.issuer;
    this.environment = this.key.environment;
    this.platformRegion = this.key.platformRegion;
    this.prefix = options.prefix;
    this.tenantIds = options.tenants.map(({ tenantId }) => tenantId);
    this.encryptionKey = encryptionKeyOf(scope, options, resources);
    this.logsKey =
      options.logsKmsKeyArn === DEPLOYMENT_KEY
        ? this.encryptionKey
        : (resources.logsEncryptionKey ?? importedKey(scope, 'LogsKmsKey', options.logsKmsKeyArn));
    this.alarmTopicKey =
      resources.alarmTopicKey ?? importedKey(scope, 'TopicKmsKey', options.alarms.topicKmsKeyArn);
    this.alarmTopic = resources.alarmTopic ?? importedTopic(scope, options.alarms.topicArn);
    this.eventBus = resources.eventBus ?? importedBus(scope, options.events);
    this.network = networkOf(scope, options, resources);
    this.replicas = replicasOf(options.replicaRegions);
    this.keys = {
      encryptionKeyArn: this.encryptionKey.keyArn,
      formerKeyArns: options.formerKmsKeyArns ?? [],
      isReplicated: this.replicas.length > 0,
      replicaKeyArns: this.replicas.flatMap((replica) => replica.kmsKeyArn ?? []),
    };
  }

  /** @internal The path of the option that sets a resource, for messages. */
  settingOf(resource: keyof LatchkeyResources): string {
    return settingOf(this.resources, resource);
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

function encryptionKeyOf(
  scope: Construct,
  { kmsKeyArn }: CheckedOptions,
  { encryptionKey }: LatchkeyResources,
): kms.IKey {
  const key = encryptionKey ?? importedKey(scope, 'KmsKey', kmsKeyArn);
  if (key !== undefined) return key;
  const allowed = 'a kms.IKey, or its ARN as kmsKeyArn';
  const issue = { path: ['resources', 'encryptionKey'], found: undefined, allowed };
  throw new ConfigurationError('DeploymentSettings', [issueLine(issue)]);
}

function importedKey(scope: Construct, id: string, arn: string | undefined): kms.IKey | undefined {
  return arn === undefined ? undefined : kms.Key.fromKeyArn(scope, id, arn);
}

function importedTopic(scope: Construct, arn: string | undefined): sns.ITopic | undefined {
  return arn === undefined ? undefined : sns.Topic.fromTopicArn(scope, 'Topic', arn);
}

function importedBus(scope: Construct, option: CheckedOptions['events']): events.IEventBus | undefined {
  if (option === undefined) return undefined;
  return option === true
    ? events.EventBus.fromEventBusName(scope, 'EventBus', 'default')
    : events.EventBus.fromEventBusArn(scope, 'EventBus', option.eventBusArn);
}

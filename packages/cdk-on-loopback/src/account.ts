import { type AlarmDefinition } from './cloudwatch/alarm-definition';

/**
 * The local account: all resources of the synthesized templates, with their state. The template provisioner creates
 * them, the AWS endpoint serves them, and the function host runs on them.
 */

/** An IAM, resource or key policy in the JSON format of templates and AWS. */
export interface PolicyDocument {
  Version?: string;
  Id?: string;
  Statement: PolicyStatement | PolicyStatement[];
}

export interface PolicyStatement {
  Sid?: string;
  Effect: 'Allow' | 'Deny';
  Principal?: '*' | Record<string, string | string[]>;
  NotPrincipal?: unknown;
  Action?: string | string[];
  NotAction?: string | string[];
  Resource?: string | string[];
  NotResource?: string | string[];
  Condition?: Record<string, Record<string, string | string[]>>;
}

export interface Role {
  arn: string;
  name: string;
  assumeRolePolicy: PolicyDocument;
  /** The role's own policies and every AWS::IAM::Policy attached to it. */
  inlinePolicies: { name: string; document: PolicyDocument }[];
  managedPolicyArns: string[];
  permissionsBoundaryArn?: string;
}

export interface ManagedPolicy {
  arn: string;
  document: PolicyDocument;
}

export interface Key {
  arn: string;
  policy: PolicyDocument;
}

/** A version of a secret. A failed rotation leaves one without a value. */
export interface SecretVersion {
  versionId: string;
  createdAtMs: number;
  secretString?: string;
  secretBinary?: Buffer;
  stages: Set<string>;
  /** The day of its last GetSecretValue. */
  lastAccessedAtMs?: number;
  /**
   * The KMS keys that can decrypt the value; `aws/secretsmanager` is the account's own.
   * @default the secret's key
   */
  keyIds?: string[];
}

/** A rotation schedule, like `RotationRules` in Secrets Manager. */
export interface RotationRules {
  /** `rate(…)` or `cron(…)` in Secrets Manager's dialect. */
  scheduleExpression?: string;
  automaticallyAfterDays?: number;
  /** Length of the window: `3h`. */
  duration?: string;
}

interface SecretRotation {
  lambdaArn: string;
  rules: RotationRules;
  /** False after CancelRotateSecret, which keeps the rest of the configuration. */
  isEnabled: boolean;
  lastRotatedAtMs?: number;
  /** End of the next rotation window; in the past if that rotation failed. */
  nextRotationAtMs?: number;
}

/** A copy of a secret in another region, as its primary secret knows it. */
export interface Replica {
  /** ARN of a customer key in its region; absent for the account's own. */
  kmsKeyArn?: string;
  /** Whether it replaces a secret that has the name already. */
  overwrites: boolean;
  status: 'InProgress' | 'InSync' | 'Failed';
  message?: string;
  /** The secret's state when replication last looked at it, without values. */
  lastState?: Pick<Secret, 'description' | 'tags' | 'resourcePolicy'> & {
    versions: [versionId: string, labels: string[], hasValue: boolean][];
  };
  /** Copies that have not arrived yet, oldest first. */
  pending: { dueMs: number; copy: Secret }[];
}

/** A region that is cut off: with `go-on`, the functions in it still reach it; with `cut-off`, nothing does. */
export type Outage = 'go-on' | 'cut-off';

export interface Secret {
  arn: string;
  name: string;
  description?: string;
  /** ARN of a customer key; absent for the account's own `aws/secretsmanager` key. */
  kmsKeyArn?: string;
  tags: Record<string, string>;
  resourcePolicy?: PolicyDocument;
  createdAtMs: number;
  lastChangedAtMs: number;
  /** The day of its last GetSecretValue. */
  lastAccessedAtMs?: number;
  /** When its deletion was requested. It can be restored until `purgeAtMs`. */
  deletedAtMs?: number;
  /** End of the recovery window, when the secret is gone. */
  purgeAtMs?: number;
  /** Absent until rotation is first configured. */
  rotation?: SecretRotation;
  /** Its copies in other regions. */
  replicas?: Map<string, Replica>;
  /** The region of its primary secret, if it is a replica. */
  primaryRegion?: string;
  /** By version id, oldest first. */
  versions: Map<string, SecretVersion>;
}

export interface LambdaFunction {
  arn: string;
  name: string;
  roleArn: string;
  /** Absolute folder with the bundle. */
  codeDir: string;
  /** `file.export`. */
  handler: string;
  timeoutSec: number;
  memoryMb: number;
  environment: Record<string, string>;
  reservedConcurrency?: number;
  logGroupName: string;
  resourcePolicy: PolicyDocument;
  asyncInvoke: { maximumRetryAttempts: number; maximumEventAgeSec: number; onFailureArn?: string };
}

export interface Queue {
  arn: string;
  name: string;
  url: string;
  policy?: PolicyDocument;
  /** Its customer managed key. */
  kmsKeyArn?: string;
  messages: QueueMessage[];
}

export interface QueueMessage {
  messageId: string;
  body: string;
  attributes: Record<string, string>;
  sentAtMs: number;
  visibleAtMs: number;
  receiptHandle?: string;
}

export interface Parameter {
  arn: string;
  name: string;
  value: string;
  /** @default String */
  type?: 'String' | 'SecureString';
  /** Of a SecureString: ARN of a customer key; absent for the account's own `aws/ssm` key. */
  kmsKeyArn?: string;
  /** @default Standard */
  tier?: 'Standard' | 'Advanced';
  /** @default 1 */
  version?: number;
}

/** A DynamoDB value of a supported type. Numbers are texts, binary values base64. */
export type AttributeValue = Partial<Record<'S' | 'N' | 'B', string>>;

export type TableItem = Readonly<Record<string, AttributeValue>>;

export interface Table {
  arn: string;
  name: string;
  hashKey: { name: string; type: 'S' | 'B' };
  /** By the key's value, as JSON. */
  items: Map<string, TableItem>;
}

export interface LogEvent {
  timestampMs: number;
  message: string;
}

export interface LogGroup {
  arn: string;
  name: string;
  /** ARN of its customer key; absent for a key of CloudWatch Logs. */
  kmsKeyArn?: string;
  events: LogEvent[];
}

export interface Schedule {
  arn: string;
  name: string;
  /** Only `rate(N minutes|hours|days)` and EventBridge Scheduler's `cron(…)`. */
  expression: string;
  state: 'ENABLED' | 'DISABLED';
  targetArn: string;
  roleArn: string;
  input: string;
  deadLetterArn?: string;
  maximumRetryAttempts: number;
  maximumEventAgeSec: number;
  description?: string;
  createdAtMs: number;
  lastModifiedAtMs: number;
}

/** A topic's subscriber. Only queues get messages here. */
interface Subscription {
  arn: string;
  /** `email`, `sqs`, … */
  protocol: string;
  endpoint: string;
  /** Conditions on the message's fields, of which one must hold; absent if every message is delivered. */
  filter?: readonly MessageCondition[];
}

/** The values that a message may have in each of these fields of its body. */
type MessageCondition = Readonly<Record<string, readonly string[]>>;

interface TopicMessage {
  messageId: string;
  publishedAtMs: number;
  subject: string;
  message: string;
  /** The endpoints of the subscriptions that get it. */
  recipients: readonly string[];
}

export interface Topic {
  arn: string;
  name: string;
  /** ARN of a customer key, or `alias/aws/sns` for the account's own; absent if the topic is not encrypted. */
  kmsKeyArn?: string;
  /** Absent for SNS's default policy, which lets the topic's own account publish. */
  policy?: PolicyDocument;
  subscriptions: Subscription[];
  /** The most recent ones, oldest first. */
  messages: TopicMessage[];
}

/** An event bus. Every account has the one named `default`. */
export interface EventBus {
  arn: string;
  name: string;
  /** Absent if only the bus's own account may send. */
  policy?: PolicyDocument;
}

/** Where a rule sends its events. */
export interface EventTarget {
  arn: string;
  /** Whether the target gets another text than the whole event. */
  hasOwnInput: boolean;
  deadLetterArn?: string;
}

export interface EventRule {
  arn: string;
  name: string;
  busArn: string;
  isEnabled: boolean;
  pattern: Readonly<Record<string, unknown>>;
  targets: readonly EventTarget[];
}

/** Secrets by ARN, and by name, so that a request takes the same time in an account with thousands of them. */
class Secrets extends Map<string, Secret> {
  /** The ARNs of all secrets that have, or had, replicas. */
  readonly replicated = new Set<string>();
  /** The ARNs of all secrets that are, or were, scheduled for deletion. */
  readonly inDeletion = new Set<string>();
  // Names are unique within a region, and never change.
  readonly #byName = new Map<string, Secret>();

  named(name: string): Secret | undefined {
    return this.#byName.get(name);
  }

  override set(arn: string, secret: Secret): this {
    this.#byName.set(secret.name, secret);
    return super.set(arn, secret);
  }

  override delete(arn: string): boolean {
    const secret = this.get(arn);
    if (secret && this.#byName.get(secret.name) === secret) this.#byName.delete(secret.name);
    this.replicated.delete(arn);
    this.inDeletion.delete(arn);
    return super.delete(arn);
  }

  override clear(): void {
    for (const arn of [...this.keys()]) this.delete(arn);
  }
}

/** All resources: by ARN, except log groups and parameters, which AWS addresses by name. */
export class Account {
  readonly accountId: string;
  readonly region: string;
  /** This account in the region of its stacks. */
  readonly home: Account;
  readonly roles: Map<string, Role>;
  readonly managedPolicies: Map<string, ManagedPolicy>;
  /** The regions that are cut off. */
  readonly outages = new Map<string, Outage>();
  readonly keys = new Map<string, Key>();
  /** Keys that are scheduled for deletion, and cannot be used anymore. */
  readonly keysInDeletion = new Map<string, Key & { deletionAtMs: number }>();
  /** Alias name (`alias/…`) → key ARN. */
  readonly keyAliases = new Map<string, string>();
  readonly secrets = new Secrets();
  readonly functions = new Map<string, LambdaFunction>();
  /** Lambda's quota of concurrent executions. A new account has 10. */
  concurrentExecutions = 1_000;
  readonly queues = new Map<string, Queue>();
  readonly tables = new Map<string, Table>();
  readonly parameters = new Map<string, Parameter>();
  readonly logGroups = new Map<string, LogGroup>();
  readonly schedules = new Map<string, Schedule>();
  /** As declared in their templates. Their states are kept by the alarm service. */
  readonly alarms = new Map<string, AlarmDefinition>();
  readonly topics = new Map<string, Topic>();
  readonly eventBuses = new Map<string, EventBus>();
  readonly eventRules = new Map<string, EventRule>();
  /** The organizations that accounts are members of, this one or others: account id → organization id. */
  readonly organizations = new Map<string, string>();
  /** The tags that templates declare, by ARN. A secret holds its own. */
  readonly tags = new Map<string, Readonly<Record<string, string>>>();

  private readonly otherRegions = new Map<string, Account>();

  /** @param home this account in the region of its stacks, which has the roles and managed policies. @default this object */
  constructor(accountId: string, region: string, home?: Account) {
    this.accountId = accountId;
    this.region = region;
    this.home = home ?? this;
    this.roles = home?.roles ?? new Map<string, Role>();
    this.managedPolicies = home?.managedPolicies ?? new Map<string, ManagedPolicy>();
    const defaultBus = this.arn('events', 'event-bus/default');
    this.eventBuses.set(defaultBus, { arn: defaultBus, name: 'default' });
  }

  /** The ARN of a resource here: `arn:aws:SERVICE:REGION:ACCOUNT:RESOURCE`. */
  arn(service: string, resource: string, accountId = this.accountId): string {
    return `arn:aws:${service}:${this.region}:${accountId}:${resource}`;
  }

  /** The ARN of a KMS key or alias, by its id, its ARN or `alias/…`. */
  kmsArn(name: string): string {
    if (name.startsWith('arn:')) return name;
    return this.arn('kms', name.startsWith('alias/') ? name : `key/${name}`);
  }

  /** The ARN of a KMS key, by its id, its ARN or that of an alias, or `alias/…`; undefined for an unknown alias. */
  kmsKeyArn(name: string): string | undefined {
    const alias = /(?:^|:)(alias\/.+)$/.exec(name)?.[1];
    return alias === undefined ? this.kmsArn(name) : this.keyAliases.get(alias);
  }

  /** The account in a region, with resources of its own there. */
  inRegion(region: string): Account {
    const { home } = this;
    if (region === home.region) return home;
    const account = home.otherRegions.get(region) ?? new Account(home.accountId, region, home);
    home.otherRegions.set(region, account);
    return account;
  }

  /** Whether the account has, or had, resources in a region. */
  hasRegion(region: string): boolean {
    return region === this.home.region || this.home.otherRegions.has(region);
  }

  /** The concurrency that the functions have not reserved. */
  unreservedConcurrency(): number {
    return [...this.functions.values()].reduce(
      (left, { reservedConcurrency = 0 }) => left - reservedConcurrency,
      this.concurrentExecutions,
    );
  }

  isCutOff(region: string): boolean {
    return this.home.outages.has(region);
  }
}

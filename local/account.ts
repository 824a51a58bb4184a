import { type AlarmDefinition } from './cloudwatch/alarm-definition';

/**
 * The local account: every resource that the synthesized templates declare, with its state.
 * The template provisioner fills it, the AWS endpoint serves it, the function host runs on it.
 */

/** An IAM, resource or key policy, as templates and AWS write it. */
export interface PolicyDocument {
  Version?: string;
  Id?: string;
  Statement: PolicyStatement | PolicyStatement[];
}

/** One statement. What the evaluator does not understand in it counts as a denial. */
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
  /** Policies of the role itself and of every AWS::IAM::Policy that names it. */
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

/** A version of a secret. A version without a value exists after a failed rotation. */
export interface SecretVersion {
  versionId: string;
  createdAtMs: number;
  secretString?: string;
  secretBinary?: Buffer;
  stages: Set<string>;
}

/** When a secret is rotated, as `RotationRules` of Secrets Manager says it. */
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
  /** False once it was cancelled: what was configured stays known. */
  isEnabled: boolean;
  lastRotatedAtMs?: number;
  /** End of the window in which the next rotation happens; in the past when that one failed. */
  nextRotationAtMs?: number;
}

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
  /** When its deletion was asked for; it stays restorable until `purgeAtMs`. */
  deletedAtMs?: number;
  /** End of the recovery window: from then on the secret is gone. */
  purgeAtMs?: number;
  /** Absent until rotation is configured for the first time. */
  rotation?: SecretRotation;
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
}

export interface LogEvent {
  timestampMs: number;
  message: string;
}

export interface LogGroup {
  arn: string;
  name: string;
  events: LogEvent[];
}

export interface Schedule {
  arn: string;
  name: string;
  /** Only `rate(N minutes|hours|days)` and `cron(…)` as EventBridge Scheduler has them. */
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

/** Who gets what a topic is told, on AWS: here nothing is sent. */
interface Subscription {
  arn: string;
  /** `email`, `sqs`, … */
  protocol: string;
  endpoint: string;
}

/** A message that was published to a topic. */
interface TopicMessage {
  messageId: string;
  publishedAtMs: number;
  subject: string;
  message: string;
}

export interface Topic {
  arn: string;
  name: string;
  /** ARN of a customer key, or `alias/aws/sns` for the account's own; absent for a topic without encryption. */
  kmsKeyArn?: string;
  /** Absent: the policy that SNS gives a topic, which lets its own account publish. */
  policy?: PolicyDocument;
  subscriptions: Subscription[];
  /** The last ones, oldest first. */
  messages: TopicMessage[];
}

/** Resources by ARN, except log groups and parameters, which AWS addresses by name. */
export class Account {
  readonly accountId: string;
  readonly region: string;
  readonly roles = new Map<string, Role>();
  readonly managedPolicies = new Map<string, ManagedPolicy>();
  readonly keys = new Map<string, Key>();
  /** Alias name (`alias/…`) → key ARN. */
  readonly keyAliases = new Map<string, string>();
  readonly secrets = new Map<string, Secret>();
  readonly functions = new Map<string, LambdaFunction>();
  readonly queues = new Map<string, Queue>();
  readonly parameters = new Map<string, Parameter>();
  readonly logGroups = new Map<string, LogGroup>();
  readonly schedules = new Map<string, Schedule>();
  /** As their templates declare them; their states are the service's. */
  readonly alarms = new Map<string, AlarmDefinition>();
  readonly topics = new Map<string, Topic>();

  constructor(accountId: string, region: string) {
    this.accountId = accountId;
    this.region = region;
  }
}

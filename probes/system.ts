import { type APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { type CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { type CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { type IAMClient } from '@aws-sdk/client-iam';
import { type KMSClient } from '@aws-sdk/client-kms';
import { type LambdaClient } from '@aws-sdk/client-lambda';
import { type SchedulerClient } from '@aws-sdk/client-scheduler';
import { type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type SQSClient } from '@aws-sdk/client-sqs';
import { type SSMClient } from '@aws-sdk/client-ssm';
import { type STSClient } from '@aws-sdk/client-sts';

import { type CredentialKind } from '../contract/secret-names';
import { type TokenType } from '../contract/platform';

/** What probes look at: an AWS account in which Latchkey is deployed, or what stands for it. */
export interface System {
  readonly place: Place;
  /** Begins the name of everything that the run creates: letters, digits and hyphens. */
  readonly prefix: string;
  /** With the permissions of the command's caller. */
  readonly aws: AwsClients;
  /** With the permissions of a role. @param roleArn of a role that trusts the account */
  as(roleArn: string): Promise<AwsClients>;
  readonly time: Time;
  readonly stacks: Stacks;
  /** A new secret of no stack, which the run deletes. @param value none by default, and thus no version */
  secret(value?: string): Promise<{ readonly name: string; readonly arn: string }>;
  /** Sends an HTTPS request, to a REST API of a probe or of the deployment. */
  readonly request: (url: string, options?: HttpsRequest) => Promise<HttpsAnswer>;
  /** The run's deployment of Latchkey. @throws {Error} if the probe did not declare that it needs it */
  readonly latchkey: DeployedLatchkey;
}

export interface Place {
  readonly partition: string;
  readonly region: string;
  readonly accountId: string;
  /** What stands for AWS; undefined if it is AWS. */
  readonly endpoint?: string;
}

/** SDK clients of one principal, in the run's account and region. */
export interface AwsClients {
  readonly apiGateway: APIGatewayClient;
  readonly cloudWatch: CloudWatchClient;
  readonly iam: IAMClient;
  readonly kms: KMSClient;
  readonly lambda: LambdaClient;
  readonly logs: CloudWatchLogsClient;
  readonly scheduler: SchedulerClient;
  readonly secretsManager: SecretsManagerClient;
  readonly sqs: SQSClient;
  readonly ssm: SSMClient;
  readonly sts: STSClient;
}

/** The account's time. On the laptop it is virtual, and passes at once. */
export interface Time {
  now(): Promise<Date>;
  /** Lets time pass. */
  pass(sec: number): Promise<void>;
  /**
   * Looks until there is something to see. Most changes on AWS take effect only after some seconds.
   * @returns what `look` returned, or undefined after `withinSec`
   */
  until<Result>(look: () => Promise<Result | undefined>, options: Looking): Promise<Result | undefined>;
}

export interface Looking {
  readonly withinSec: number;
  /** @default 5 */
  readonly everySec?: number;
}

/** CloudFormation stacks. On an account, the `cdk` command deploys them. */
export interface Stacks {
  /**
   * Creates or updates stacks, one after another.
   * @returns the outputs by stack
   * @throws {DeploymentFailed}
   */
  deploy(...stacks: readonly StackTemplate[]): Promise<Readonly<Record<string, Outputs>>>;
  /**
   * Deploys a stack, and brings what was changed or deleted by hand back to its template. Absent where stacks have no drift.
   * @throws {DeploymentFailed}
   */
  readonly revertDrift?: (stack: StackTemplate) => Promise<void>;
  /** Deletes stacks, the last one first. Those that do not exist are skipped. @throws {DeploymentFailed} */
  delete(...names: readonly string[]): Promise<void>;
}

/** A stack's outputs by their names. */
export type Outputs = Readonly<Record<string, string>>;

/** A stack as CloudFormation takes it. */
export interface StackTemplate {
  /** Begins with the run's prefix. */
  readonly name: string;
  readonly template: object;
}

/** A stack that CloudFormation refused or rolled back. */
export class DeploymentFailed extends Error {
  override readonly name = 'DeploymentFailed';
  /** CloudFormation's status of the stack, such as `UPDATE_ROLLBACK_COMPLETE`; undefined if it was not told. */
  readonly status: string | undefined;

  constructor(message: string, status: string | undefined, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** The run's deployment of Latchkey: two tenants with two content tokens each. Its platform is the sandbox. */
export interface DeployedLatchkey {
  readonly environment: 'staging';
  readonly platformRegion: 'global';
  /** The deployment's stack. */
  readonly stackName: string;
  readonly tenants: readonly ProvenTenant[];
  /** ARN of a function of the deployment. */
  functionArn(
    name: 'token-refresh' | 'token-sweep' | 'restore' | 'rotate-credentials' | 'credential-watch',
  ): Promise<string>;
  /** ARN of a role of the run: an operator's, or of a service that may read tokens and call the restore API. */
  readonly roles: Readonly<Record<'operator' | 'service', string>>;
  /** Base URL of the restore API with its stage, without a trailing slash. */
  readonly restoreApiUrl: string;
  /** Synthesizes and deploys it with other settings of its deployment in the configuration file. */
  deploy(settings: object): Promise<void>;
  /**
   * Runs the command `latchkey` with the run's configuration, as the operator.
   * @param input for its standard input
   */
  command(args: readonly string[], input?: string): Promise<CommandResult>;
  /** Sends an HTTPS request, to the restore API or the platform. */
  readonly request: (url: string, options?: HttpsRequest) => Promise<HttpsAnswer>;
  readonly sandbox: SandboxControl;
}

export interface ProvenTenant {
  readonly tenantId: string;
  /** The reference of a user who may restore. */
  author(): Promise<string>;
  readonly secrets: Readonly<Record<CredentialKind, string>>;
  readonly tokens: readonly (TokenType & { readonly secretName: string })[];
  /** The API key that was loaded, for Basic authentication. */
  apiKey(): Promise<string>;
  /** Puts a new archived content on the platform. @returns its id */
  archivedContent(): Promise<string>;
}

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HttpsRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Signs the request for `execute-api` as this role, or as the caller. @default unsigned */
  readonly signedBy?: 'caller' | { readonly roleArn: string };
}

export interface HttpsAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The control interface of the platform's sandbox. */
export interface SandboxControl {
  /** @returns the parsed answer @throws {Error} with the status, if it is refused */
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<unknown>;
}

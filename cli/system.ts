import { type CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { type CloudWatchLogsClientConfig } from '@aws-sdk/client-cloudwatch-logs';
import { type LambdaClient } from '@aws-sdk/client-lambda';
import { type SchedulerClient } from '@aws-sdk/client-scheduler';
import { type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type SSMClient } from '@aws-sdk/client-ssm';

import { type DeploymentFile, type FieldNames } from '../core/deployment/deployment-file';
import { type LocalRun } from '../core/deployment/local-run';
import { type ParameterLeaf } from '../core/deployment/parameter-names';
import { type IssuingDeployment } from '../lambdas/shared/adapters/https-token-issuer';
import { type RestoreAuth } from '../core/restore/restore-operation';
import { type CredentialKind } from '../core/secrets/secret-names';
import { type DeploymentKey, type TokenType } from '../core/tokens/token-key';
import { type sendHttps } from '../lambdas/shared/adapters/https-client';
import { type Bootstrap } from './bootstrap-check';

/** The default configuration file, relative to the working directory. */
export const DEFAULT_CONFIGURATION = 'config/latchkey.json';

/** The default state directory of `npm start`, relative to the project root. */
export const DEFAULT_STATE_DIR = '.latchkey';

/** What a command acts on: deployments on AWS, or those of the running laptop system. */
export interface System {
  readonly deployments: readonly Deployment[];
  /** Flags that select this system, such as `--local`; added to every command that is printed. */
  readonly flags: string;
  /** Sends requests to the platform; on the laptop, it trusts the sandbox's certificate authority. */
  readonly sendRequest: typeof sendHttps;
  /** How far its clock is ahead of this machine's. @default 0 */
  readonly clockAheadMs?: number;
  /** Only with `--local`. */
  readonly laptop?: Laptop;
}

/** How to reach the running laptop system. */
export interface Laptop {
  readonly run: Pick<LocalRun, 'aws' | 'operator' | 'sandboxControl'>;
  /** Absolute path of the PEM file with the certificates to trust. */
  readonly caFile: string;
}

/** One environment of an issuer (of the platform: in one platform region), with its clients. */
export type Deployment = DeploymentKey & {
  readonly stackName: string;
  /** Prefix of its secrets' and parameters' names. */
  readonly prefix: string;
  /** From the configuration file, to compare with the deployed one; undefined without a file, and with `--local`. */
  readonly configured: DeploymentFile | undefined;
  /** Where and how its tokens are requested. */
  readonly issuing: IssuingDeployment;
  readonly tenants: readonly Tenant[];
  /** What the configuration says about reserved concurrency, if anything; undefined as `configured` is. */
  readonly concurrency?: { readonly reserved: 1 | 'none' | undefined };
  /** What its trailEvents need; undefined as `configured` is. */
  readonly trail?: {
    /** Whether the configuration has trailEvents. */
    readonly isUsed: boolean;
    /** The name of a trail that records who changes secrets; undefined if there is none. */
    readonly find: () => Promise<string | undefined>;
  };
  /** The account of the caller's credentials. Undefined with `--local`. @throws {CommandError} */
  readonly callerAccount?: () => Promise<string | undefined>;
  /** AWS regions with replicas of its secrets, from the configuration. @default none */
  readonly replicaRegions?: readonly string[];
  readonly secretsManager: SecretsManagerClient;
  readonly lambda: LambdaClient;
  readonly cloudWatch: CloudWatchClient;
  readonly scheduler: SchedulerClient;
  /**
   * Gets AWS credentials, for which a profile may ask for an MFA code. Undefined with `--local`.
   * @throws {Error} if there are none
   */
  readonly signIn?: (interrupted: AbortSignal) => Promise<void>;
  readonly ssm: SSMClient;
  /** Undefined with `--local`, where there is only one account. */
  readonly location?: DeploymentLocation;
  /** Undefined as `configured` is: only the configuration says where CDK deploys. */
  readonly bootstrap?: Bootstrap;
  /** @throws {CommandError} if the deployment has no such function, or the caller may not read its ARN */
  functionArn(leaf: Extract<ParameterLeaf, `${string}-arn`>): Promise<string>;
  /** Whether it sends events. @throws {CommandError} if the caller may not read that @default it does not */
  sendsEvents?(): Promise<boolean>;
  /** @throws {CommandError} if the deployment has no restore API, or the caller may not read its address */
  restoreApi(): Promise<RestoreApi>;
  /** @throws {CommandError} if the deployment has no restore API, or the caller may not read the name of its log group */
  restoreLogs(): Promise<RestoreLogs>;
};

/** An AWS account and region. */
export interface Location {
  readonly account: string;
  readonly region: string;
}

/** How to find out where a deployment of a configuration is. */
export interface DeploymentLocation {
  /** Whether the configuration names the account. */
  readonly isNamed: boolean;
  /**
   * Finds the account and region, without reading a secret or invoking a function.
   * @param secretIds its secrets: described if nothing else says where it is; the ARNs of adopted ones must agree
   * @throws {CommandError} `other_account`, if it is not where the configuration says; or why it was not found
   */
  find(secretIds: readonly string[]): Promise<Location>;
}

/** Where the restore function logs each request. */
export interface RestoreLogs {
  readonly logGroupName: string;
  /** For the SDK’s client, which only the command that needs it imports. */
  readonly clientConfig: CloudWatchLogsClientConfig;
}

/** The address of a restore API, and how callers authenticate there. */
export interface RestoreApi {
  /** Base URL with its stage, without a trailing slash. */
  readonly url: string;
  readonly auth: RestoreAuth;
  /** How far AWS's clock is ahead of the command's, as the SDK learned it from the answers. @default 0 */
  readonly clockAheadMs?: number;
}

export interface Tenant {
  readonly tenantId: string;
  /** The configuration gives the tenant no secret for an API key. @default it does */
  readonly apiKey?: false | undefined;
  /** ARN or name of each credential's secret. */
  readonly secretIds: Readonly<Record<CredentialKind, string>>;
  /** The names of the fields in each adopted secret that has its own. */
  readonly secretFields?: Readonly<Partial<Record<CredentialKind, FieldNames | undefined>>>;
  readonly tokens: readonly (TokenType & { readonly secretId: string })[];
}

/** A tenant in its deployment: what most commands act on. */
export interface ChosenTenant {
  readonly system: System;
  readonly deployment: Deployment;
  readonly tenant: Tenant;
}

import { type CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { type LambdaClient } from '@aws-sdk/client-lambda';
import { type SchedulerClient } from '@aws-sdk/client-scheduler';
import { type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { type DeploymentFile } from '../contract/deployment-file';
import { type ParameterLeaf } from '../contract/parameter-names';
import { type TokenType } from '../contract/platform';
import { type RestoreAuth } from '../contract/restore-operation';
import { type CredentialKind } from '../contract/secret-names';
import { type DeploymentKey } from '../contract/token-key';
import { type sendHttps } from '../lambdas/shared/adapters/https-client';

/** Where `init` writes a configuration, and commands look for one; relative to the working directory. */
export const USUAL_CONFIGURATION = 'config/latchkey.json';

/** Where `npm start` says how to reach what it runs, unless it is told otherwise; relative to the project. */
export const USUAL_STATE_DIR = '.latchkey';

/** What a command acts on: the deployments of a configuration on AWS, or those of the running laptop system. */
export interface System {
  readonly deployments: readonly Deployment[];
  /** Flags that name this system again, such as `--local`: what repair commands are printed with. */
  readonly flags: string;
  /** Sends requests to the platform, and trusts what stands for it: on the laptop, that is the run's own authority. */
  readonly sendRequest: typeof sendHttps;
}

/** One environment × one platform region. */
export interface Deployment extends DeploymentKey {
  readonly stackName: string;
  /** What the names of its secrets and parameters start with. */
  readonly prefix: string;
  /** What its functions should have been deployed with; undefined where nobody has the configuration (`--local`). */
  readonly configured: DeploymentFile | undefined;
  readonly platform: DeploymentFile['platform'];
  readonly tenants: readonly Tenant[];
  readonly secretsManager: SecretsManagerClient;
  readonly lambda: LambdaClient;
  readonly cloudWatch: CloudWatchClient;
  readonly scheduler: SchedulerClient;
  /** @throws {CommandError} where the deployment has no such function, or the caller may not read it */
  functionArn(leaf: Extract<ParameterLeaf, `${string}-arn`>): Promise<string>;
  /** @throws {CommandError} where the deployment has no restore API, or the caller may not read it */
  restoreApi(): Promise<RestoreApi>;
}

/** The address of a restore API, and how callers authenticate there. */
export interface RestoreApi {
  /** Base address with its stage, without a slash at the end. */
  readonly url: string;
  readonly auth: RestoreAuth;
}

export interface Tenant {
  readonly tenantId: string;
  /** ARN or name, by which Secrets Manager finds the secret. */
  readonly secretIds: Readonly<Record<CredentialKind, string>>;
  readonly tokens: readonly (TokenType & { readonly secretId: string })[];
}

/** A tenant in its deployment: what most commands act on. */
export interface ChosenTenant {
  readonly system: System;
  readonly deployment: Deployment;
  readonly tenant: Tenant;
}

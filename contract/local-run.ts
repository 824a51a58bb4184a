import { type PlatformAddresses } from './deployment-file';
import { type TokenType } from './platform';
import { type DeploymentKey } from './token-key';

/**
 * `.latchkey/local.json`: how to reach the running laptop system. Mode 0600, removed on exit.
 * Everything that acts on a local run, `--once` included, starts from this file alone.
 */
export interface LocalRun {
  /** An administrator of the local account. */
  aws: AccessKey & { endpoint: string; region: string; accountId: string };
  /** A role with the operator policy only. */
  operator: AccessKey;
  /** PEM, relative to the project root. */
  caFile: string;
  sandboxControl: string;
  deployments: LocalDeployment[];
}

export interface AccessKey {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface LocalDeployment extends DeploymentKey {
  stack: string;
  /** Function ARNs; those that exist. */
  functions: Partial<
    Record<'tokenRefresh' | 'tokenSweep' | 'restore' | 'rotateCredentials' | 'credentialWatch', string>
  >;
  /** Base address of the REST API with its stage; absent where the deployment has no restore API. */
  restoreApiUrl?: string;
  platform: PlatformAddresses;
  tenants: LocalTenant[];
}

export interface LocalTenant {
  tenantId: string;
  clientCredentialsArn: string;
  apiKeyArn: string;
  tokens: (TokenType & { arn: string })[];
  archivedContentIds: string[];
  authorRefs: string[];
  collaborationIds: string[];
}

import { type DeploymentTenant, type DeployedProfile, type PlatformAddresses } from './deployment-file';
import { type DeploymentKey, type TenantKey, tenantKeyOf } from '../tokens/token-key';
import { isLoopback } from './platform-address';

/**
 * `.latchkey/local.json`: how to reach the running laptop system. Mode 0600, removed on exit.
 * Everything that works with a local run needs only this file.
 */
export interface LocalRun {
  /** Administrator credentials of the local account. */
  aws: AccessKey & { endpoint: string; region: string; accountId: string };
  /** Credentials of a role that has only the operator policy. */
  operator: AccessKey;
  /** Path of the PEM file, relative to the project root. */
  caFile: string;
  sandboxControl: string;
  deployments: LocalDeployment[];
}

export interface AccessKey {
  accessKeyId: string;
  secretAccessKey: string;
}

export type LocalDeployment = DeploymentKey & {
  stack: string;
  /** ARNs of the functions that exist. */
  functions: Partial<
    Record<'tokenRefresh' | 'tokenSweep' | 'restore' | 'rotateCredentials' | 'credentialWatch', string>
  >;
  /** Base URL of the REST API including its stage; absent if the deployment has no restore API. */
  restoreApiUrl?: string;
  platform: PlatformAddresses;
  profile: DeployedProfile;
  tenants: LocalTenant[];
};

export interface LocalTenant extends Pick<DeploymentTenant, 'parameters'> {
  tenantId: string;
  clientCredentialsArn: string;
  /** Absent if the tenant has none. */
  apiKeyArn?: string;
  tokens: (DeploymentTenant['tokens'][number] & { arn: string })[];
  archivedContentIds: string[];
  authorRefs: string[];
  collaborationIds: string[];
}

/**
 * Whether a deployment's issuer is a server that the user runs on this machine, instead of the sandbox, which serves issuers at
 * `/issuers/NAME`. The sandbox does not know its credentials, and the sandbox's credentials are never sent to it.
 */
export function isOwnIssuer({
  issuer,
  platform: { tokenBaseUrl },
}: Pick<DeploymentKey, 'issuer'> & { platform: PlatformAddresses }): boolean {
  if (issuer === undefined || tokenBaseUrl === undefined || !URL.canParse(tokenBaseUrl)) return false;
  const { hostname, pathname } = new URL(tokenBaseUrl);
  return isLoopback(hostname) && !/\/issuers\/[^/]+\/?$/.test(pathname);
}

/** The request to the sandbox's control API for a new client credential. */
export function credentialRequest(tenant: TenantKey): { path: string; body: object } {
  const { issuer, tenantId } = tenant;
  return issuer === undefined
    ? { path: '/credentials', body: tenantKeyOf(tenant, tenantId) }
    : { path: `/issuers/${issuer}/credentials`, body: { tenantId } };
}

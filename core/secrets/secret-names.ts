import {
  type DeploymentKey,
  deploymentParts,
  type TenantKey,
  type TokenKey,
  tokenTypeName,
} from '../tokens/token-key';

/** Default prefix of secret and parameter names. */
export const DEFAULT_PREFIX = 'latchkey';

/** The kinds of a tenant's credentials. */
export const CREDENTIAL_KINDS = ['client-credentials', 'api-key'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** `latchkey/staging/mea/TENANT/client-credentials` or `…/api-key`. */
export function credentialSecretName(prefix: string, tenant: TenantKey, kind: CredentialKind): string {
  return `${tenantPath(prefix, tenant)}/${kind}`;
}

/** `latchkey/staging/mea/TENANT/token/content/api-write`. */
export function tokenSecretName(prefix: string, key: TokenKey): string {
  return `${tenantPath(prefix, key)}/token/${tokenTypeName(key, '/')}`;
}

/** `latchkey/staging/mea` or `latchkey/auth0/production`: the start of all secret names of a deployment. */
export function deploymentPath(prefix: string, deploymentKey: DeploymentKey): string {
  return [prefix, ...deploymentParts(deploymentKey)].join('/');
}

function tenantPath(prefix: string, tenant: TenantKey): string {
  return `${deploymentPath(prefix, tenant)}/${tenant.tenantId}`;
}

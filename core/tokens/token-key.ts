import { type Environment, type TokenType, type PlatformRegion } from '../deployment/platform';

/** Environment and platform region: what identifies a deployment. */
export interface DeploymentKey {
  environment: Environment;
  platformRegion: PlatformRegion;
}

/** A tenant in its deployment. */
export interface TenantKey extends DeploymentKey {
  tenantId: string;
}

/** Identifies one access token. Different keys never share a secret. */
export type TokenKey = TenantKey & TokenType;

/** What identifies a deployment, alone. Drops any further fields. */
export function deploymentKeyOf({ environment, platformRegion }: DeploymentKey): DeploymentKey {
  return { environment, platformRegion };
}

/** The key of one of a deployment's tenants. Drops any further fields of the deployment. */
export function tenantKeyOf(deployment: DeploymentKey, tenantId: string): TenantKey {
  return { ...deploymentKeyOf(deployment), tenantId };
}

/** The key of one of a tenant's tokens. Drops any further fields of the arguments. */
export function tokenKeyOf(tenant: TenantKey, token: TokenType): TokenKey {
  return { ...tenantKeyOf(tenant, tenant.tenantId), ...tokenTypeOf(token) };
}

/** Whether two values have the same interface and scope. */
export function isSameTokenType(a: TokenType, b: TokenType): boolean {
  return a.interface === b.interface && a.scope === b.scope;
}

/** Interface and scope alone. Drops any further fields. */
export function tokenTypeOf({ interface: platformInterface, scope }: TokenType): TokenType {
  return { interface: platformInterface, scope } as TokenType;
}

/**
 * A token type as part of a resource name: `content/api-write`. The slash of the scope becomes a hyphen.
 * @param separator between interface and scope
 */
export function tokenTypeName(
  { interface: platformInterface, scope }: TokenType,
  separator: '/' | '-',
): string {
  return `${platformInterface}${separator}${scope.replaceAll('/', '-')}`;
}

/**
 * A string that is unique per token key, for maps inside one process. As JSON, so that the fields cannot run together.
 */
export function tokenKeyText(key: TokenKey): string {
  return JSON.stringify([key.environment, key.platformRegion, key.tenantId, key.interface, key.scope]);
}

/** The deployment's name in stack names: `staging-mea`. */
export function deploymentName(deploymentKey: DeploymentKey): string {
  return `${deploymentKey.environment}-${deploymentKey.platformRegion}`;
}

/** Whether two values are about the same deployment. */
export function isSameDeployment(a: DeploymentKey, b: DeploymentKey): boolean {
  return deploymentName(a) === deploymentName(b);
}

/** The deployment in texts: `staging mea`. */
export function deploymentText(deploymentKey: DeploymentKey): string {
  return `${deploymentKey.environment} ${deploymentKey.platformRegion}`;
}

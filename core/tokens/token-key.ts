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

/** The key of one of a tenant's tokens. Drops any further fields of the arguments. */
export function tokenKeyOf(tenant: TenantKey, token: TokenType): TokenKey {
  const { environment, platformRegion, tenantId } = tenant;
  return { environment, platformRegion, tenantId, ...tokenTypeOf(token) };
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

/** The deployment's name in texts and stack names: `staging-mea`. */
export function deploymentName(deploymentKey: DeploymentKey): string {
  return `${deploymentKey.environment}-${deploymentKey.platformRegion}`;
}

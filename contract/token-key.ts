import { type Environment, type TokenType, type PlatformRegion } from './platform';

/** One environment × one platform region: what one deployment serves. */
export interface DeploymentKey {
  environment: Environment;
  platformRegion: PlatformRegion;
}

/** A tenant in its deployment. */
export interface TenantKey extends DeploymentKey {
  tenantId: string;
}

/** What names one access token. No two different keys share a secret. */
export type TokenKey = TenantKey & TokenType;

/** The key of one of a tenant's tokens: its five fields, and no others that the arguments may have. */
export function tokenKeyOf(tenant: TenantKey, token: TokenType): TokenKey {
  const { environment, platformRegion, tenantId } = tenant;
  return { environment, platformRegion, tenantId, ...tokenTypeOf(token) };
}

/** Whether two token types, or values that have one, are the same. */
export function isSameTokenType(a: TokenType, b: TokenType): boolean {
  return a.interface === b.interface && a.scope === b.scope;
}

/** Interface and scope alone, of a value that has more fields. */
export function tokenTypeOf({ interface: platformInterface, scope }: TokenType): TokenType {
  return { interface: platformInterface, scope } as TokenType;
}

/**
 * A token type as names have it: `content/api-write`. Scopes have a slash, which separates the parts of a name.
 * @param separator between interface and scope
 */
export function tokenTypeName(
  { interface: platformInterface, scope }: TokenType,
  separator: '/' | '-',
): string {
  return `${platformInterface}${separator}${scope.replaceAll('/', '-')}`;
}

/**
 * A text that no two different token keys share: the fields cannot run into one another.
 * For maps inside one process; secrets have names of their own.
 */
export function tokenKeyText(key: TokenKey): string {
  return JSON.stringify([key.environment, key.platformRegion, key.tenantId, key.interface, key.scope]);
}

/** The deployment as people and stack names write it: `staging-mea`. */
export function deploymentName(deploymentKey: DeploymentKey): string {
  return `${deploymentKey.environment}-${deploymentKey.platformRegion}`;
}

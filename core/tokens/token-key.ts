/**
 * Identifies a deployment. Without `issuer`, it belongs to the built-in learning platform and has a platform region; other issuers
 * may have no regions. The published types are stricter: `published-keys.ts`.
 */
export type DeploymentKey =
  | { issuer?: undefined; environment: string; platformRegion: string }
  | {
      /** The name of the issuer's profile. */
      issuer: string;
      environment: string;
      platformRegion?: string | undefined;
    };

/** A tenant in its deployment. */
export type TenantKey = DeploymentKey & { tenantId: string };

/** What a token is for. `scope` has spaces between several scopes, and is empty for a token without one. */
export interface TokenType {
  interface: string;
  scope: string;
}

/** Identifies one access token. Different keys never share a secret. */
export type TokenKey = TenantKey & TokenType;

/** The key of a deployment. Drops any further fields. */
export function deploymentKeyOf({ issuer, environment, platformRegion }: DeploymentKey): DeploymentKey {
  if (issuer === undefined) return { environment, platformRegion };
  return { issuer, environment, ...(platformRegion !== undefined && { platformRegion }) };
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
  return { interface: platformInterface, scope };
}

/** A token's name in messages, such as `content api/read`, or the interface alone for one without a scope. */
export function tokenName(token: TokenType): string {
  return [token.interface, token.scope].filter(Boolean).join(' ');
}

/** The names of several tokens, such as `content api/read and content api/write`. */
export function tokenNames(tokens: readonly TokenType[]): string {
  const names = tokens.map(tokenName);
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
}

/**
 * A token type as part of a resource name: `content/api-write`, with a hyphen for the slash of the scope. Scopes of other issuers
 * are {@link encoded}, so that two scopes never share a name: `api/read=3Ausers+write`.
 * @param separator between interface and scope
 */
export function tokenTypeName(
  { issuer, interface: platformInterface, scope }: Pick<TokenKey, 'issuer'> & TokenType,
  separator: '/' | '-',
): string {
  if (issuer === undefined) return `${platformInterface}${separator}${scope.replaceAll('/', '-')}`;
  return [platformInterface, scope].filter(Boolean).map(encoded).join(separator);
}

/** Parses {@link tokenTypeName} of another issuer than the learning platform, with a slash as the separator. */
export function parseTokenTypeName(name: string): TokenType {
  const [tokenInterface = '', scope = ''] = name
    .split('/')
    .map((part) =>
      part
        .replaceAll('+', ' ')
        .replaceAll(/(?:=[0-9A-F]{2})+/g, (bytes) =>
          new TextDecoder().decode(
            Uint8Array.from(bytes.slice(1).split('='), (hex) => Number.parseInt(hex, 16)),
          ),
        ),
    );
  return { interface: tokenInterface, scope };
}

/**
 * Encodes a text for the name of a secret. A space becomes `+`. Letters, digits and `_.-` stay. Every other byte of UTF-8 becomes
 * `=` and two hexadecimal digits; so does a hyphen before the last six characters, which would look like the end of an ARN.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html (Name)
 */
function encoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll(
      /[!'()*~]|-(?=[A-Za-z0-9]{6}$)/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    .replaceAll('%', '=');
}

/** A string that is unique per token key, for maps inside one process. JSON keeps the fields apart. */
export function tokenKeyText(key: TokenKey): string {
  const { issuer, environment, platformRegion, tenantId, interface: platformInterface, scope } = key;
  return JSON.stringify([issuer, environment, platformRegion, tenantId, platformInterface, scope]);
}

/** Issuer, environment and platform region of a deployment, as far as it has them, for its names. */
export function deploymentParts({ issuer, environment, platformRegion }: DeploymentKey): string[] {
  return [issuer, environment, platformRegion].filter((part) => part !== undefined);
}

/** The deployment's name in stack names: `staging-mea`, `auth0-production`. */
export function deploymentName(deploymentKey: DeploymentKey): string {
  return deploymentParts(deploymentKey).join('-');
}

/** Whether two values are about the same deployment. */
export function isSameDeployment(a: DeploymentKey, b: DeploymentKey): boolean {
  return deploymentName(a) === deploymentName(b);
}

/** The deployment's name in messages: `staging mea`, `auth0 production`. */
export function deploymentText(deploymentKey: DeploymentKey): string {
  return deploymentParts(deploymentKey).join(' ');
}

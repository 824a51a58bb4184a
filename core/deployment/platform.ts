/**
 * The platform's names of environments, regions, interfaces and scopes.
 * @see the platform's specification, "Authentication" (scopes) and "Address placeholders" (environments, regions)
 */

/** The platform as an issuer, in configurations and commands. */
export const PLATFORM_NAME = 'learning-platform';

/** Environments of the platform. Its tenant service calls production "live". */
export const ENVIRONMENTS = ['staging', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Regions of the platform, not of AWS. `global` is everything except MEA. */
export const PLATFORM_REGIONS = ['global', 'mea'] as const;
export type PlatformRegion = (typeof PLATFORM_REGIONS)[number];

/** Interfaces of the platform. Each has its own token endpoint. */
export const INTERFACES = ['content', 'webhooks'] as const;
export type PlatformInterface = (typeof INTERFACES)[number];

/** The scopes of each interface. */
export const SCOPES = {
  content: ['api/all', 'api/read', 'api/write'],
  webhooks: ['api/webhooks', 'api/all'],
} as const satisfies Record<PlatformInterface, readonly string[]>;

/** The scopes of one interface of the platform; any text for an interface of another issuer. */
export type ScopeOf<I extends string> = I extends PlatformInterface ? (typeof SCOPES)[I][number] : string;
export type Scope = (typeof SCOPES)[PlatformInterface][number];

/**
 * An interface with one of its own scopes. Any other combination does not compile. For tokens of any issuer, use the type in
 * `core/tokens/token-key.ts`.
 */
export type TokenType = {
  [I in PlatformInterface]: { interface: I; scope: ScopeOf<I> };
}[PlatformInterface];

/** The field that makes a token type invalid, and its allowed values. */
export interface WrongTokenType {
  wrong: 'interface' | 'scope';
  allowed: readonly string[];
}

/** Checks two values from outside: returns them as a token type, or which of them is wrong. */
export function narrowTokenType(platformInterface: unknown, scope: unknown): TokenType | WrongTokenType {
  const knownInterface = INTERFACES.find((name) => name === platformInterface);
  if (knownInterface === undefined) return { wrong: 'interface', allowed: INTERFACES };
  const scopes: readonly unknown[] = SCOPES[knownInterface];
  if (!scopes.includes(scope)) return { wrong: 'scope', allowed: SCOPES[knownInterface] };
  return { interface: knownInterface, scope } as TokenType;
}

/**
 * A tenant identifier as the platform issues it, such as `eu-west-2_AbcdEfghI`.
 * The specification does not show its alphabet; letters, digits, `_` and `-` are an assumption (docs/assumptions.md).
 */
export const TENANT_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

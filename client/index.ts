/**
 * Gives Node services the access tokens that Latchkey stores in Secrets Manager. Caches them in memory, renews them
 * before they expire, and replaces them when an API refuses them.
 * @module
 */
export type {
  Environment,
  PlatformInterface,
  PlatformRegion,
  Scope,
  TokenType,
} from '../core/deployment/platform';
export type { TokenValue } from '../core/secrets/secret-values';
export type { DeploymentKey, TenantKey, TokenKey } from '../core/tokens/published-keys';
export type { EnsureErrorCode } from '../core/tokens/token-refresh';
export type { AccessToken } from './access-token';
export { parseTokenKey } from './argument-check';
export type { AuthorizedRequestInit } from './authorized-fetch';
export type { Clock, Sleep } from './clock';
export {
  createTokenSource,
  type GetTokenOptions,
  type TokenSource,
  type TokenSourceOptions,
} from './token-source';
export { createTestTokenSource, type TestTokenSourceOptions } from './test-token-source';
export type { TokenSourceEvent } from './token-supply';
export { TokenUnavailableError, type TokenUnavailableCode } from './token-unavailable-error';

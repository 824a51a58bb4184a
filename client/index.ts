/**
 * Access tokens that Latchkey keeps in Secrets Manager, for services in Node: in memory while they are good, renewed
 * before they expire, and replaced when the platform refuses them.
 *
 * `Cell` and `InterfaceScope` are earlier names of `DeploymentKey` and `TokenType`, for services that import them.
 */
export type {
  Environment,
  PlatformInterface,
  PlatformRegion,
  Scope,
  TokenType,
  TokenType as InterfaceScope,
} from '../contract/platform';
export type { DeploymentKey, DeploymentKey as Cell, TokenKey } from '../contract/token-key';
export type { EnsureErrorCode } from '../contract/token-refresh';
export type { AccessToken } from './access-token';
export type { AuthorizedRequestInit } from './authorized-fetch';
export type { Clock, Sleep } from './clock';
export {
  createTokenSource,
  type GetTokenOptions,
  type TokenSource,
  type TokenSourceOptions,
} from './token-source';
export type { TokenSourceEvent } from './token-supply';
export { TokenUnavailableError, type TokenUnavailableCode } from './token-unavailable-error';

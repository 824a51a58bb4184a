import { type TokenType } from './token-key';
/** Asks token-refresh to make sure that the stored token is usable. The only event that it accepts. */
export type EnsureEvent = TokenType & {
  action: 'ensure';
  tenantId: string;
  /** How long the token must still be valid, in seconds, 0–1200. @default 60 */
  minValiditySec?: number;
  /**
   * SHA-256 of a token that the platform refused, as lower-case hexadecimal digits.
   * token-refresh requests a new token only if the stored one matches.
   */
  rejectedTokenSha256?: string;
  /** Whether an operator has this token replaced, which the platform may still accept. @default false */
  byOperator?: boolean;
};

/** Asks token-sweep to check all tokens of the deployment, and to renew those that are due. The only event that it accepts. */
export interface SweepEvent {
  action: 'sweep';
}

export const ENSURE_ERROR_CODES = [
  'invalid_request',
  'unknown_token_key',
  'not_loaded',
  'credential_refused',
  'scope_refused',
  'platform_unavailable',
  'bad_platform_answer',
  'store_unavailable',
  'write_budget_spent',
] as const;
export type EnsureErrorCode = (typeof ENSURE_ERROR_CODES)[number];

/** Why no usable token is stored. */
export interface EnsureFailure {
  code: EnsureErrorCode;
  message: string;
  /** Earliest useful retry, in seconds. */
  retryAfterSec?: number;
}

/** The answer of a function that failed. */
export interface FailedAnswer {
  ok: false;
  error: EnsureFailure;
}

/** Never holds the token: the caller reads the secret with its own permissions. */
export type EnsureAnswer =
  { ok: true; arn: string; versionId: string; expiresAt: string; refreshed: boolean } | FailedAnswer;

/** The result of a sweep for one token. */
export type SweepOutcome = 'fresh' | 'refreshed' | EnsureErrorCode | 'skipped';

/** Report of a sweep, by tenant. Holds no secrets, so it can be logged and shown. */
export interface SweepAnswer {
  ok: boolean;
  tokens: number;
  refreshed: number;
  failed: number;
  tenants: { tenantId: string; tokens: (TokenType & { outcome: SweepOutcome; message?: string })[] }[];
}

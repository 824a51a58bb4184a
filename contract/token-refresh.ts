import { type TokenType } from './platform';

/** Asks token-refresh to see to it that the stored token is usable. */
export type EnsureEvent = TokenType & {
  action: 'ensure';
  tenantId: string;
  /** How long the token must still live, in seconds; 60 where absent, 0–1200. */
  minValiditySec?: number;
  /**
   * Lower-case hex of the SHA-256 over the UTF-8 bytes of a token that the platform refused.
   * A new one is requested only if the stored token is that one.
   */
  rejectedTokenSha256?: string;
};

/** Asks for a pass over all tokens of the deployment. */
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

/** Why no usable token is stored, and what the caller can do. */
export interface EnsureFailure {
  code: EnsureErrorCode;
  message: string;
  /** Asking again earlier is useless. */
  retryAfterSec?: number;
}

/** The answer holds no token: the caller reads the secret with its own rights. */
export type EnsureAnswer =
  | { ok: true; arn: string; versionId: string; expiresAt: string; refreshed: boolean }
  | { ok: false; error: EnsureFailure };

/** What became of one token in a sweep. */
export type SweepOutcome = 'fresh' | 'refreshed' | EnsureErrorCode | 'skipped';

/** Report of a sweep, per tenant: nothing secret, so it can be logged and shown. */
export interface SweepAnswer {
  ok: boolean;
  tokens: number;
  refreshed: number;
  failed: number;
  tenants: { tenantId: string; tokens: (TokenType & { outcome: SweepOutcome; message?: string })[] }[];
}

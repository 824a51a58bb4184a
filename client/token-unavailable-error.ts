import { type TokenKey } from '../core/tokens/published-keys';
import { deploymentName, tokenName } from '../core/tokens/token-key';
import { type EnsureErrorCode } from '../core/tokens/token-refresh';

/**
 * Why there is no token, and what to do.
 *
 * From token-refresh:
 * - `invalid_request`, `unknown_token_key`: the deployment does not declare this token; correct the key or the configuration
 * - `not_loaded`: the tenant's client credentials were never loaded; load them
 * - `credential_refused`, `scope_refused`: the issuer refuses the client credentials or the scope; a person must act
 * - `platform_unavailable`, `bad_platform_answer`: the token endpoint fails; retry later
 * - `store_unavailable`: Secrets Manager fails or throttles; retry later (also from this library)
 * - `write_budget_spent`: the token was renewed too often in 24 hours; retry later
 *
 * From this library:
 * - `access_denied`: the role lacks a permission, which the message names; grant it
 * - `aws_not_configured`: the process has no AWS region or credentials; configure them
 * - `not_found`: the secret does not exist, has no value yet, or is scheduled for deletion
 * - `no_usable_token`: the stored token is expired, about to expire, refused or of another key, and was not renewed
 * - `token_refresh_unavailable`: token-refresh could not be invoked, is busy, or failed; retry later
 * - `timeout`: there was no token within the caller's timeout; retry later
 */
export type TokenUnavailableCode =
  | EnsureErrorCode
  | 'access_denied'
  | 'aws_not_configured'
  | 'not_found'
  | 'no_usable_token'
  | 'token_refresh_unavailable'
  | 'timeout';

/** There is no usable token. The message names the key and the reason, never a secret, so it can be logged. */
export class TokenUnavailableError extends Error {
  override readonly name = 'TokenUnavailableError';

  /** Also true for errors of another copy of this library in the process, such as its CommonJS build. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'TokenUnavailableError';
  }

  readonly code: TokenUnavailableCode;
  /** The message without the key. */
  readonly reason: string;
  /** Earliest useful retry, in seconds; undefined if unknown. */
  readonly retryAfterSec: number | undefined;

  constructor(code: TokenUnavailableCode, key: TokenKey, reason: string, retryAfterSec?: number) {
    super(`no token ${tokenName(key)} of tenant ${key.tenantId} in ${deploymentName(key)}: ${reason}`);
    this.code = code;
    this.reason = reason;
    this.retryAfterSec = retryAfterSec;
  }
}

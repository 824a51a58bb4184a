import { deploymentName, type TokenKey } from '../contract/token-key';
import { type EnsureErrorCode } from '../contract/token-refresh';

/**
 * Why there is no token, and what the caller can do.
 *
 * Said by token-refresh:
 * - `invalid_request`, `unknown_token_key`: the deployment does not declare this token; correct the key or the configuration
 * - `not_loaded`: the tenant's client credentials were never loaded; load them
 * - `credential_refused`, `scope_refused`: the platform refuses the client credentials or the scope; people must act
 * - `platform_unavailable`, `bad_platform_answer`: the token endpoint fails; ask again later
 * - `store_unavailable`: Secrets Manager fails or throttles; ask again later (also said by this library)
 * - `write_budget_spent`: the token was reported as refused too often; ask again later
 *
 * Said by this library:
 * - `access_denied`: the role lacks a permission, which the message names
 * - `aws_not_configured`: the process has no AWS region or no credentials
 * - `not_found`: the secret does not exist, has no value yet, or is scheduled for deletion
 * - `no_usable_token`: what is stored is expired, about to expire, refused or of another key, and could not be renewed
 * - `token_refresh_unavailable`: token-refresh could not be invoked, is busy for others, or failed; ask again later
 * - `timeout`: no token was had in the time that the caller gave
 */
export type TokenUnavailableCode =
  | EnsureErrorCode
  | 'access_denied'
  | 'aws_not_configured'
  | 'not_found'
  | 'no_usable_token'
  | 'token_refresh_unavailable'
  | 'timeout';

/** No usable token can be had. The message names the key and the reason, never a secret, and is fit for logs. */
export class TokenUnavailableError extends Error {
  override readonly name = 'TokenUnavailableError';

  /** True also of an error made by another copy of this library in the process, such as its CommonJS build. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'TokenUnavailableError';
  }

  readonly code: TokenUnavailableCode;
  /** The message without the key. */
  readonly reason: string;
  /** Asking again earlier is useless. */
  readonly retryAfterSec: number | undefined;

  constructor(code: TokenUnavailableCode, key: TokenKey, reason: string, retryAfterSec?: number) {
    super(
      `no token ${key.interface} ${key.scope} of tenant ${key.tenantId} in ${deploymentName(key)}: ${reason}`,
    );
    this.code = code;
    this.reason = reason;
    this.retryAfterSec = retryAfterSec;
  }
}

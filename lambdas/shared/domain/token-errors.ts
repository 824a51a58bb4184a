import { type EnsureErrorCode } from '../../../contract/token-refresh';

/**
 * Why no usable token could be had. `code` is the contract's; the message names what happened and what was got,
 * never a secret, and is fit for callers, logs and alarms.
 */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: EnsureErrorCode;
  /** Asking again earlier is useless. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: EnsureErrorCode,
    message: string,
    options: ErrorOptions & { retryAfterMs?: number | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The platform could not be reached or could not answer: worth another try. */
export class PlatformUnavailableError extends TokenError {
  /** Whether the platform itself said how long to wait. */
  readonly isRetryable: boolean;

  constructor(
    message: string,
    options: ErrorOptions & { retryAfterMs?: number | undefined; isRetryable?: boolean } = {},
  ) {
    super('platform_unavailable', message, options);
    this.isRetryable = options.isRetryable ?? true;
  }
}

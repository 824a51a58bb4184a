import { type TokenFault } from '../alarms/metrics';
import { type EnsureErrorCode } from './token-refresh';

interface TokenErrorOptions extends ErrorOptions {
  retryAfterMs?: number | undefined;
  fault?: TokenFault | undefined;
}

/**
 * Why there is no usable token, with a code of the contract. The message says what happened and never contains a secret, so
 * callers and logs may have it.
 */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: EnsureErrorCode;
  /** Earliest useful retry, in ms. */
  readonly retryAfterMs: number | undefined;
  /** The fault that it counts as: the code, or a finer one. */
  readonly fault: TokenFault;

  constructor(code: EnsureErrorCode, message: string, options: TokenErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.fault = options.fault ?? code;
  }

  /** Copies this failure with another message. */
  with(message: string): TokenError {
    return new TokenError(this.code, message, {
      cause: this,
      fault: this.fault,
      retryAfterMs: this.retryAfterMs,
    });
  }

  /** Copies this failure with another retryAfterMs. */
  lasting(retryAfterMs: number, message = this.message): TokenError {
    return new TokenError(this.code, message, { cause: this, fault: this.fault, retryAfterMs });
  }
}

/** The platform was unreachable or could not answer. */
export class PlatformUnavailableError extends TokenError {
  /** Whether a retry within seconds may succeed. */
  readonly isRetryable: boolean;
  /** Whether it got too many requests. */
  readonly isRateLimit: boolean;

  constructor(
    message: string,
    options: TokenErrorOptions & { isRetryable?: boolean; isRateLimit?: boolean } = {},
  ) {
    super('platform_unavailable', message, options);
    this.isRetryable = options.isRetryable ?? true;
    this.isRateLimit = options.isRateLimit ?? false;
  }
}

import { type TokenFault } from '../alarms/metrics';
import { type EnsureErrorCode } from './token-refresh';

interface TokenErrorOptions extends ErrorOptions {
  retryAfterMs?: number | undefined;
  fault?: TokenFault | undefined;
}

/** Why there is no usable token. The message never contains a secret, so it may be returned and logged. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: EnsureErrorCode;
  /** Earliest useful retry, in ms. */
  readonly retryAfterMs: number | undefined;
  /** The fault that metrics count: the code, or a more precise one. */
  readonly fault: TokenFault;

  constructor(code: EnsureErrorCode, message: string, options: TokenErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.fault = options.fault ?? code;
  }

  /** Copies this failure with another message or retryAfterMs. */
  with({
    message = this.message,
    retryAfterMs = this.retryAfterMs,
  }: Partial<Pick<TokenError, 'message' | 'retryAfterMs'>>): TokenError {
    return new TokenError(this.code, message, { cause: this, fault: this.fault, retryAfterMs });
  }
}

/** The platform could not be reached, or answered that it is unavailable. */
export class PlatformUnavailableError extends TokenError {
  /** Whether a retry within seconds may succeed. */
  readonly isRetryable: boolean;
  /** Whether the platform answered 429. */
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

import { type TokenFault } from '../../../contract/metrics';
import { type EnsureErrorCode } from '../../../contract/token-refresh';

interface TokenErrorOptions extends ErrorOptions {
  retryAfterMs?: number | undefined;
  fault?: TokenFault | undefined;
}

/**
 * Why no usable token could be had. `code` is the contract's; the message names what happened and what was got,
 * never a secret, and is fit for callers, logs and alarms.
 */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: EnsureErrorCode;
  /** Asking again earlier is useless. */
  readonly retryAfterMs: number | undefined;
  /** The class that it is counted under: the code, or a finer one. */
  readonly fault: TokenFault;

  constructor(code: EnsureErrorCode, message: string, options: TokenErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.fault = options.fault ?? code;
  }

  /** This failure, as one that lasts for so long yet. */
  lasting(retryAfterMs: number, message = this.message): TokenError {
    return new TokenError(this.code, message, { cause: this, fault: this.fault, retryAfterMs });
  }
}

/** The platform could not be reached or could not answer: worth another try. */
export class PlatformUnavailableError extends TokenError {
  /** Whether asking again within seconds may help. */
  readonly isRetryable: boolean;

  constructor(message: string, options: TokenErrorOptions & { isRetryable?: boolean } = {}) {
    super('platform_unavailable', message, options);
    this.isRetryable = options.isRetryable ?? true;
  }
}

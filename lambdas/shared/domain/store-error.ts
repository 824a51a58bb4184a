import { type TokenFault } from '../../../contract/metrics';

/** How a store failed: what a caller can do about it differs. */
export type StoreFailure =
  | 'throttled'
  | 'access_denied'
  | 'not_found'
  | 'scheduled_for_deletion'
  | 'limit_exceeded'
  | 'malformed'
  | 'unavailable';

/** Secrets Manager or KMS did not do what was asked. The message names the action and the resource, never a value. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreFailure;

  constructor(code: StoreFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Whether the same call may succeed within seconds. */
  get isRetryable(): boolean {
    return this.code === 'throttled' || this.code === 'unavailable';
  }
}

/** The class that a failure of the store is counted under. */
export function faultOf({ code }: StoreError): TokenFault {
  return `store_${code}`;
}

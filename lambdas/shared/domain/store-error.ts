import { type AwsErrorMeaning } from '../../../contract/aws-errors';
import { type TokenFault } from '../../../contract/metrics';

/** Secrets Manager or KMS did not do what was asked. The message names the action and the resource, never a value. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: AwsErrorMeaning;

  constructor(code: AwsErrorMeaning, message: string, options?: ErrorOptions) {
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

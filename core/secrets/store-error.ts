import { type AwsErrorMeaning } from '../calls/aws-errors';
import { type TokenFault } from '../alarms/metrics';

/** A failed call of Secrets Manager or KMS. The message names the action and the resource, never a value. */
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

/** The fault that a failure of the store counts as. */
export function faultOf({ code }: StoreError): TokenFault {
  return `store_${code}`;
}

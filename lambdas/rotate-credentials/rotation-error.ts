import { type RotationFailure } from '../../core/rotation/rotation';

/**
 * Why a step failed. The message is for people: it says what to do and never contains a secret. Secrets Manager only sees
 * that the step failed.
 */
export class RotationError extends Error {
  override readonly name = 'RotationError';
  readonly code: RotationFailure;

  constructor(code: RotationFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

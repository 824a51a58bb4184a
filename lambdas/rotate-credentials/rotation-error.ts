import { type RotationFailure } from '../../contract/rotation';

/**
 * Why a step failed. Secrets Manager learns only that it did; the message is for people, says what to do, and never
 * holds a secret.
 */
export class RotationError extends Error {
  override readonly name = 'RotationError';
  readonly code: RotationFailure;

  constructor(code: RotationFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

import { ROTATION_STEPS, type RotationEvent } from '../../core/rotation/rotation';
import { wrongValue } from '../../core/events/event-values';
import { RotationError } from './rotation-error';

/**
 * Parses the event that Secrets Manager sends.
 * @throws {RotationError} `invalid_event` or `unknown_step`, naming the field
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html
 */
export function parseRotationEvent(event: unknown): RotationEvent {
  const { SecretId, ClientRequestToken, RotationToken, Step } = (event ?? {}) as Partial<
    Record<keyof RotationEvent, unknown>
  >;
  const rotationToken = RotationToken ?? undefined;
  requireText('SecretId', SecretId);
  requireText('ClientRequestToken', ClientRequestToken);
  requireText('Step', Step);
  if (rotationToken !== undefined) requireText('RotationToken', rotationToken);
  const step = ROTATION_STEPS.find((known) => known === Step);
  if (step !== undefined) return { SecretId, ClientRequestToken, Step: step, RotationToken: rotationToken };
  throw new RotationError('unknown_step', wrongValue('Step', Step, ROTATION_STEPS.join(', ')));
}

function requireText(field: keyof RotationEvent, value: unknown): asserts value is string {
  if (typeof value === 'string' && value !== '') return;
  const found =
    value === undefined ? 'nothing' : value === '' ? 'an empty string' : `a value of type ${typeof value}`;
  throw new RotationError(
    'invalid_event',
    `${field}: found ${found}; allowed: a string, as Secrets Manager sends it`,
  );
}

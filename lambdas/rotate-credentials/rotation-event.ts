import { ROTATION_STEPS, type RotationEvent, type RotationStep } from '../../core/rotation/rotation';
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
  requireText('SecretId', SecretId);
  requireText('ClientRequestToken', ClientRequestToken);
  requireText('Step', Step);
  const rotationToken = RotationToken ?? undefined;
  if (rotationToken !== undefined) requireText('RotationToken', rotationToken);
  requireStep(Step);
  return { SecretId, ClientRequestToken, Step, RotationToken: rotationToken };
}

function requireText(field: keyof RotationEvent, value: unknown): asserts value is string {
  if (typeof value === 'string' && value !== '') return;
  throw new RotationError(
    'invalid_event',
    `${field}: found ${describeType(value)}; allowed: a string, as Secrets Manager sends it`,
  );
}

/** Names the type only: the value may be a misplaced secret. */
function describeType(value: unknown): string {
  if (value === undefined) return 'nothing';
  return value === '' ? 'an empty string' : `a value of type ${typeof value}`;
}

function requireStep(value: string): asserts value is RotationStep {
  if (ROTATION_STEPS.some((step) => step === value)) return;
  throw new RotationError('unknown_step', wrongValue('Step', value, ROTATION_STEPS.join(', ')));
}

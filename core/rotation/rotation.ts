/** The steps of a rotation, in order. @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html */
export const ROTATION_STEPS = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;
export type RotationStep = (typeof ROTATION_STEPS)[number];

/** What Secrets Manager sends to rotate-credentials, once per step. */
export interface RotationEvent {
  Step: RotationStep;
  /** ARN of the secret. */
  SecretId: string;
  /** Id of the pending version. */
  ClientRequestToken: string;
  /**
   * Proves the source of a write if the function assumes a role, for example in another account. Sensitive.
   * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda.html
   */
  RotationToken?: string | undefined;
}

/** Why a step failed. A failed step never promotes a version. */
export const ROTATION_FAILURES = [
  /** Nobody staged a new credential; only a person can get one from the platform. */
  'candidate_missing',
  /** Nothing was ever loaded, so there is nothing to replace. Not a fault, and not counted. */
  'not_loaded',
  /** The candidate is not a credential of this kind. */
  'candidate_malformed',
  /** The candidate is already current. Not a fault either. */
  'candidate_is_current',
  /** The platform refused the candidate. */
  'candidate_refused',
  /** The platform gave no usable answer, so the candidate may or may not work. */
  'could_not_test',
  /** The version was not proven. */
  'not_proven',
  /** The version is not pending, or not the candidate's. Not a fault: AWS may repeat a rotation that was given up. */
  'not_pending',
  /** The event is not one of Secrets Manager. */
  'invalid_event',
  'unknown_step',
  'foreign_secret',
  'store_unavailable',
] as const;
export type RotationFailure = (typeof ROTATION_FAILURES)[number];

/** How long a pending version without an outcome counts as a running rotation. */
export const ROTATION_MAY_RUN_SEC = 10 * 60;

/** Age of a pending version at which Secrets Manager no longer repeats its rotation: the longest rotation window. */
export const ROTATION_ABANDONED_SEC = 24 * 3600;

/**
 * The longest interval that Secrets Manager accepts. On a secret that once had a schedule it stands for `none`: rotation
 * cannot be enabled without a schedule then, because RotateSecret keeps the old one.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotationRulesType.html
 */
export const MAX_ROTATION_INTERVAL_DAYS = 1000;

/** The schedule on which Secrets Manager starts the rotations of a secret: `cron(…)`, `rate(…)` or `none`. */
export function rotationScheduleOf(
  isEnabled: boolean,
  expression: string | undefined,
  intervalDays = MAX_ROTATION_INTERVAL_DAYS,
): string {
  if (!isEnabled) return 'none';
  return expression ?? (intervalDays < MAX_ROTATION_INTERVAL_DAYS ? `rate(${intervalDays} days)` : 'none');
}

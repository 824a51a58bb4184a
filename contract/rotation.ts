/** The steps of a rotation, in their order. @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html */
export const ROTATION_STEPS = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;
export type RotationStep = (typeof ROTATION_STEPS)[number];

/** What Secrets Manager sends to rotate-credentials, once per step. */
export interface RotationEvent {
  Step: RotationStep;
  /** ARN of the secret. */
  SecretId: string;
  /** Id of the version that the rotation is about. */
  ClientRequestToken: string;
}

/** Why a step failed. None of them promotes anything. */
export const ROTATION_FAILURES = [
  /** Nobody staged a new credential, and only people can get one. */
  'candidate_missing',
  /** Nothing was ever loaded, so there is nothing to replace. No fault, and counted nowhere. */
  'not_loaded',
  /** What is staged is no credential of this kind. */
  'candidate_malformed',
  /** What is staged is current already. No fault either. */
  'candidate_is_current',
  /** The platform refused the candidate. */
  'candidate_refused',
  /** The platform gave no usable answer, so nothing is known of the candidate. */
  'could_not_test',
  /** The step came for a version that is not proven. */
  'not_proven',
  /** The version is not the pending one. */
  'not_pending',
  /** What came is none of Secrets Manager's events. */
  'invalid_event',
  'unknown_step',
  'foreign_secret',
  'store_unavailable',
] as const;
export type RotationFailure = (typeof ROTATION_FAILURES)[number];

/** A pending version without an outcome is taken for that of a running rotation for so long. */
export const ROTATION_MAY_RUN_SEC = 10 * 60;

/** Every kind of finding, roughly from those that hurt callers to mere notices. */
export const FINDING_KINDS = [
  'credential_refused',
  'platform_unavailable',
  'renewal_failed',
  'token_expired',
  'token_low',
  'token_missing',
  'token_refused_early',
  'restore_absent',
  'restore_refused',
  'schedule_missing',
  'schedule_disabled',
  'api_key_expired',
  'api_key_expiring_in_7_days',
  'api_key_expiring_in_30_days',
  'secret_missing',
  'secret_scheduled_for_deletion',
  'missing_grant',
  'credential_unproven',
  'candidate_refused',
  'candidate_untested',
  'candidate_waiting',
  'candidate_left_behind',
  'pending_left_behind',
  'rotation_schedule_differs',
  'token_of_retired_credential',
  'rotation_overdue',
  'rotation_due',
  'restore_offered',
  'configuration_differs',
  'never_loaded',
  'not_inspected',
] as const;

/** Findings about a secret that cannot be used. */
export const SECRET_FAULTS = ['secret_missing', 'secret_scheduled_for_deletion', 'missing_grant'] as const;

/** Findings about the platform's restore operation. */
export const RESTORE_KINDS: readonly FindingKind[] = ['restore_absent', 'restore_refused', 'restore_offered'];

/** Findings about a credential that must be replaced soon. */
export const DUE_KINDS = [
  'rotation_due',
  'rotation_overdue',
  'api_key_expired',
  'api_key_expiring_in_7_days',
  'api_key_expiring_in_30_days',
] as const;

/** The kinds that only the command `latchkey` finds. credential-watch does not ask for them, so they have no metric. */
export const COMMAND_FINDING_KINDS = ['replica_failed'] as const;

export type FindingKind = (typeof FINDING_KINDS)[number] | (typeof COMMAND_FINDING_KINDS)[number];

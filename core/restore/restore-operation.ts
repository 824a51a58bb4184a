/** The one operation of the restore API. */
export const RESTORE_PATH = '/tenants/{tenantId}/contents/{contentId}/restore';

/**
 * The path of all contents of one tenant, as policies write it.
 * @param tenantId a tenant, or `*` for all
 */
export function restorePathPattern(tenantId: string): string {
  return RESTORE_PATH.replace('{tenantId}', tenantId).replace('{contentId}', '*');
}

/** Maximum size of a request's body. */
export const MAX_BODY_BYTES = 16 * 1024;

/**
 * How callers of the restore API authenticate. `platform`: with the platform's own schemes, Basic and Bearer. `iam`: AWS
 * principals sign their requests.
 */
export type RestoreAuth = 'platform' | 'iam';

/**
 * Who acts: the body of a restore request. Has at least one of the two fields.
 * @see the platform's specification, "Acting-user object"
 */
export interface ActingUser {
  authorRef?: string;
  collaborationId?: string;
}

/**
 * The body of a successful restore. `status` and `type` may have values that the specification does not list.
 * @see the platform's specification, "Content record as returned by restore"
 */
export interface RestoredRecord {
  id: string;
  status: string;
  /** In ascending rank. */
  items: RestoredItem[];
}

/** The status of a restored content. @see the platform's specification, "States and transitions", rule 1 */
export const RESTORED_STATUS = 'published';

/**
 * Whether the status of a record contradicts a successful restore. Any other status than {@link RESTORED_STATUS} is
 * unexpected, but passed on, because the specification does not show the full set.
 * @see the platform's specification, "States and transitions", rules 1 and 2
 */
export function contradictsRestore(status: string): boolean {
  return ['archived', 'draft'].includes(status.trim().toLowerCase());
}

export interface RestoredItem {
  id?: string;
  type?: string;
  rank?: number;
  summary?: string;
  status?: string;
  /** Present when the item's status is `error`. */
  failureReason?: string;
}

/**
 * Whether the platform offers its restore operation. `absent`: not at the configured method and path. `refused`: it refuses
 * the stored token with which it was asked. `undetermined`: its answers do not say.
 */
export const AVAILABILITIES = ['offered', 'absent', 'refused', 'undetermined'] as const;
export type Availability = (typeof AVAILABILITIES)[number];

/** Event by which credential-watch asks the restore function for a {@link ProbeAnswer}. */
export interface ProbeEvent {
  action: 'probe';
}

/** What the restore function found out, without touching any content. */
export interface ProbeAnswer {
  availability: Availability;
  /** What the platform did, as the end of a sentence about it. */
  reason: string;
}

/** An author reference or collaboration id: 1–256 printable ASCII characters, so it is also valid in a header. */
export const REFERENCE = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/;
/** {@link REFERENCE} in words, for messages. */
export const REFERENCE_RULE = '1–256 printable ASCII characters without a space at either end';

/** The one operation of the restore API. */
export const RESTORE_PATH = '/tenants/{tenantId}/contents/{contentId}/restore';

/** What the body of a request may have at most. */
export const MAX_BODY_BYTES = 16 * 1024;

/**
 * Who may call the restore API. `platform`: callers with the platform's own schemes, Basic and Bearer; `iam`: principals
 * of AWS, who sign their requests.
 */
export type RestoreAuth = 'platform' | 'iam';

/**
 * Who acts: the body of a restore request.
 * @see the platform's specification, "Acting-user object": at least one of the two
 */
export interface ActingUser {
  authorRef?: string;
  collaborationId?: string;
}

/**
 * The body of a successful restore. Vocabularies of status and type are open: the specification does not show all.
 * @see the platform's specification, "Content record as returned by restore"
 */
export interface RestoredRecord {
  id: string;
  status: string;
  /** Lowest rank first. */
  items: RestoredItem[];
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

/** An author reference or collaboration id: 1–256 printable ASCII characters, so that it fits a header too. */
export const REFERENCE = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/;
/** What a reference may be, as messages say it. */
export const REFERENCE_RULE = '1–256 printable ASCII characters without a space at either end';

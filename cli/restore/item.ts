import { type ActingUser, REFERENCE } from '../../contract/restore-operation';

/** A content to restore, and who acts. */
export interface RestoreItem {
  readonly contentId: string;
  readonly actingUser: Readonly<ActingUser>;
}

/** Whether a value is a valid author reference or collaboration id. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && REFERENCE.test(value);
}

/** Whether both name the same author and the same collaboration. */
export function isSameUser(a: ActingUser, b: ActingUser): boolean {
  return a.authorRef === b.authorRef && a.collaborationId === b.collaborationId;
}

import { type ActingUser, CONTENT_ID, REFERENCE } from '../../contract/restore';

/** One content to restore, and who acts. */
export interface RestoreItem {
  readonly contentId: string;
  readonly actingUser: Readonly<ActingUser>;
}

/** What a content id may be, as messages say it. */
export const CONTENT_ID_RULE = '1–128 letters, digits, ".", "_", "~", "-", but not "." or ".."';
/** What a reference may be, as messages say it. */
export const REFERENCE_RULE = '1–256 printable ASCII characters without a space at either end';

/**
 * What a content is told by from others. The platform writes ids in hexadecimal digits, so that either case names the same
 * content: a platform that tells them apart may refuse one, while the other mistake restores twice.
 */
export function contentKey(contentId: string): string {
  return contentId.toLowerCase();
}

/** Whether something is a content id, so that it can stand in a path. */
export function isContentId(value: unknown): value is string {
  return typeof value === 'string' && CONTENT_ID.test(value);
}

/** Whether something is an author reference or a collaboration id. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && REFERENCE.test(value);
}

/** Whether both name the same author and the same collaboration. */
export function isSameUser(a: ActingUser, b: ActingUser): boolean {
  return a.authorRef === b.authorRef && a.collaborationId === b.collaborationId;
}

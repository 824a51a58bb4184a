import { type ActingUser, CONTENT_ID, REFERENCE } from '../../contract/restore-operation';

/** One content to restore, and who acts. */
export interface RestoreItem {
  readonly contentId: string;
  readonly actingUser: Readonly<ActingUser>;
}

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

/**
 * A content id as this project accepts it: 1–128 unreserved characters, and no dot segment, which a URL would climb by.
 * @see RFC 3986, sections 2.3 and 5.2.4
 */
export const CONTENT_ID = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,128}$/;
/** What a content id may be, as messages say it. */
export const CONTENT_ID_RULE = '1–128 letters, digits, ".", "_", "~", "-", but not "." or ".."';

/** Whether something is a content id, so that it can stand in a path. */
export function isContentId(value: unknown): value is string {
  return typeof value === 'string' && CONTENT_ID.test(value);
}

/**
 * The key of a content in a map. The platform writes ids in hexadecimal digits, so that either case names the same content:
 * a platform that tells them apart may refuse one, while the other mistake restores twice.
 */
export function contentKey(contentId: string): string {
  return contentId.toLowerCase();
}

/** Whether two ids name the same content. */
export function isSameContent(contentId: string, other: string): boolean {
  return contentKey(contentId) === contentKey(other);
}

/** Whether a text looks like an id that the platform itself gave: too short, and of too few characters, for a secret. */
export function isPlatformContentId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}

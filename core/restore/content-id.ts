/**
 * The content ids that Latchkey accepts: 1–128 unreserved characters, and no dot segment, which would change the path.
 * @see RFC 3986, sections 2.3 and 5.2.4
 */
export const CONTENT_ID = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,128}$/;
/** {@link CONTENT_ID} in words, for messages. */
export const CONTENT_ID_RULE = '1–128 letters, digits, ".", "_", "~", "-", but not "." or ".."';

/** Whether a value is a content id, and so safe in a path. */
export function isContentId(value: unknown): value is string {
  return typeof value === 'string' && CONTENT_ID.test(value);
}

/**
 * The key of a content in a map. Ignores case, because the platform's ids are hexadecimal: treating one content as two
 * would restore it twice, while treating two as one costs a refusal at worst.
 */
export function contentKey(contentId: string): string {
  return contentId.toLowerCase();
}

/** Whether two ids name the same content. */
export function isSameContent(contentId: string, other: string): boolean {
  return contentId === other || contentKey(contentId) === contentKey(other);
}

/** Whether a text looks like an id that the platform issued: too short, and with too few characters, for a secret. */
export function isPlatformContentId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}

/** Whether a Content-Type header names JSON; parameters such as a charset are allowed. @see RFC 9110, section 8.3.1 */
export function isJsonMediaType(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}

/** Others' text as a terminal may show it: nothing in it moves the cursor, or turns words around. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
}

/** A document as one line of JSON that a terminal may show as well: {@link harmless}, and yet the same document. */
export function harmlessJson(document: object): string {
  const escaped = (text: string) =>
    text.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return JSON.stringify(document).replaceAll(/[\p{Cc}\p{Cf}]/gu, (text) => escaped(text).join(''));
}

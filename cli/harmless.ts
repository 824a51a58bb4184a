/** Others' text as a terminal may show it: nothing in it moves the cursor, or turns words around. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
}

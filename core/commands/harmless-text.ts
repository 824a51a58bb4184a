/** Untrusted text, safe for one line of a terminal: without control characters, line separators and bidirectional overrides. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

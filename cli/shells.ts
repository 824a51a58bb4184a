/** The shells that commands print lines for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** One of {@link SHELLS}. */
export type Shell = (typeof SHELLS)[number];

/** A word in quotes for fish. @see https://fishshell.com/docs/current/language.html#quotes */
export function fishWord(word: string): string {
  return `'${word.replaceAll(/[\\']/g, '\\$&')}'`;
}

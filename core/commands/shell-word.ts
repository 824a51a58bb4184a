/** Quotes a word for a shell. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

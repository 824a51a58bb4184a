/** A word as a shell takes it, for commands that are printed. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

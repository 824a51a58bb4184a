/** Wraps a text at `width` characters. A command in backquotes stays on one line, so that it can be copied. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.match(/[^\s`]*`[^`]*`\S*|\S+/g) ?? []) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

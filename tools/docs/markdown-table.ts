/** The lines of a table in Markdown. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** A page with other lines for the first table below a heading. */
export function withLines(page: string, heading: string, table: readonly string[]): string {
  const [before, rest = ''] = page.split(`${heading}\n`);
  return `${before}${heading}\n${rest.replace(/(?:^\|.*\n)+/m, () => `${table.join('\n')}\n`)}`;
}

/** A cell's text, which sets the column's width, and how to style it. */
export interface TableCell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** Formats rows as lines with aligned columns. */
export function table(rows: readonly (readonly (TableCell | string)[])[], indent = ''): string[] {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? { text: cell } : cell)));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, { text }] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, text.length);
    }
  }
  return cells.map((row) => {
    const line = row.map(({ text, paint = unpainted }, column) => {
      const isLast = column === row.length - 1;
      return paint(text) + ' '.repeat(isLast ? 0 : widths[column]! - text.length);
    });
    return `${indent}${line.join('  ')}`;
  });
}

function unpainted(text: string): string {
  return text;
}

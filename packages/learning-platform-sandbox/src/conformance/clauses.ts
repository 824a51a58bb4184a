/** One statement of the specification: a bullet, a numbered rule, a row of a table, or a paragraph. */
export interface Clause {
  /** `section/kind-key`, such as `acting-user-object/rule-3`, `errors/row-409` or `events/paragraph-1`. */
  readonly id: string;
  /** The headings above it, innermost last. */
  readonly section: readonly string[];
  /** Its text. A row is `column: cell; column: cell`. */
  readonly text: string;
}

/** Such a line only introduces a list or a table, and is not a clause. */
const INTRODUCTION = /^[\w -]+:$/;

/**
 * Extracts the clauses of a specification, in order. Ids depend on the section's heading and the position within the section,
 * for rows on the first cells.
 * @param markdown with one line for each statement, and at most one table in a section
 * @throws {Error} if two clauses would have the same id
 */
export function extractClauses(markdown: string): Clause[] {
  const headings: string[] = [];
  const clauses = markdown.split(/^(?=#+ )/m).flatMap((section) => {
    const [heading, ...lines] = section.split('\n');
    const [, marks, title] = /^(#+) (.*)$/.exec(heading!)!;
    headings.splice(marks!.length - 1, Infinity, title!);
    return statementsIn(lines).map(([key, text]) => ({
      id: `${slug(title!)}/${key}`,
      section: headings.filter(Boolean),
      text,
    }));
  });
  const ids = clauses.map(({ id }) => id);
  const twice = ids.find((id, n) => ids.indexOf(id) !== n);
  if (twice !== undefined) throw new Error(`two clauses have the id ${twice}`);
  return clauses;
}

/** Bullets and paragraphs are numbered within their section; rules keep their own numbers. */
function statementsIn(lines: readonly string[]): [key: string, text: string][] {
  const [columns = [], ...rows] = lines.filter((line) => line.startsWith('| ')).map(cellsOf);
  const unusedRowKeys = rowKeys(rows);
  let bullets = 0;
  let paragraphs = 0;
  return lines.flatMap((line): [string, string][] => {
    const [, number, item] = /^(?:-|(\d+)\.) (.*)$/.exec(line) ?? [];
    if (line === '' || INTRODUCTION.test(item ?? line)) return [];
    if (item !== undefined)
      return [[number === undefined ? `bullet-${(bullets += 1)}` : `rule-${number}`, item]];
    if (!line.startsWith('|')) return [[`paragraph-${(paragraphs += 1)}`, line]];
    const cells = cellsOf(line);
    if (line.startsWith('|-') || cells.join() === columns.join()) return [];
    return [[`row-${unusedRowKeys.shift()}`, cells.map((cell, n) => `${columns[n]}: ${cell}`).join('; ')]];
  });
}

/** The key of each row: as few of its first cells as no other row begins with. */
function rowKeys(rows: readonly string[][]) {
  const candidates = rows.map((cells) => cells.map((_, n) => slug(cells.slice(0, n + 1).join(' '))));
  return candidates.map((keys) =>
    keys.find((key, n) => candidates.every((others) => others === keys || others[n] !== key)),
  );
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** `OAuth token request (JSON body)` → `oauth-token-request`, `3. Restore archived content` → `restore-archived-content`. */
function slug(text: string): string {
  return text
    .replace(/^\d+\. | \(.*\)$/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

import MarkdownIt, { type Token } from 'markdown-it';

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
 * @param markdown CommonMark with tables
 * @throws {Error} if two clauses would have the same id
 */
export function extractClauses(markdown: string): Clause[] {
  const tokens = new MarkdownIt().parse(markdown, {});
  const clauses = sectionsOf(tokens).flatMap(clausesOf);
  const ids = clauses.map(({ id }) => id);
  const twice = ids.find((id, n) => ids.indexOf(id) !== n);
  if (twice !== undefined) throw new Error(`two clauses have the id ${twice}`);
  return clauses;
}

interface Section {
  readonly headings: readonly string[];
  readonly tokens: readonly Token[];
}

/** The tokens between each heading and the next. */
function sectionsOf(tokens: readonly Token[]): Section[] {
  const starts = tokens.flatMap(({ type }, n) => (type === 'heading_open' ? [n] : []));
  const headings: string[] = [];
  return starts.map((start, n) => {
    const level = Number(tokens[start]!.tag.slice(1));
    headings.splice(level - 1, Infinity, tokens[start + 1]!.content);
    return { headings: headings.filter(Boolean), tokens: tokens.slice(start + 3, starts[n + 1]) };
  });
}

function clausesOf({ headings, tokens }: Section): Clause[] {
  const section = slug(headings.at(-1)!);
  const said = [...items(tokens), ...rows(tokens), ...paragraphs(tokens)];
  return said
    .toSorted((a, b) => a.line - b.line)
    .map(({ key, text }) => ({ id: `${section}/${key}`, section: headings, text }));
}

interface Statement {
  readonly line: number;
  readonly key: string;
  readonly text: string;
}

/** Bullets are numbered within their section; rules keep their own numbers. */
function items(tokens: readonly Token[]): Statement[] {
  let bullets = 0;
  return tokens.flatMap((token, n) => {
    if (token.type !== 'list_item_open') return [];
    // `info` is the number in the source, empty for a bullet.
    const key = token.info === '' ? `bullet-${(bullets += 1)}` : `rule-${token.info}`;
    const text = tokens[n + 2]!.content;
    return INTRODUCTION.test(text) ? [] : [{ line: token.map![0], key, text }];
  });
}

/** Names each row by the fewest first cells that are unique in its table. */
function rows(tokens: readonly Token[]): Statement[] {
  const tables = tokens.flatMap(({ type }, n) => (type === 'table_open' ? [n] : []));
  return tables.flatMap((start) => {
    const end = tokens.findIndex(({ type }, n) => n > start && type === 'table_close');
    const [head, ...body] = rowsOf(tokens.slice(start, end));
    const keys = body.map(({ cells }) => cells.map((_, n) => slug(cells.slice(0, n + 1).join(' '))));
    return body.map(({ line, cells }, row) => ({
      line,
      key: `row-${keys[row]!.find((key, n) => keys.every((other, r) => r === row || other[n] !== key))}`,
      text: cells.map((cell, n) => `${head!.cells[n]}: ${cell}`).join('; '),
    }));
  });
}

function rowsOf(table: readonly Token[]): { line: number; cells: string[] }[] {
  const starts = table.flatMap(({ type }, n) => (type === 'tr_open' ? [n] : []));
  return starts.map((start, n) => ({
    line: table[start]!.map![0],
    cells: table
      .slice(start, starts[n + 1])
      .filter(({ type }) => type === 'inline')
      .map(({ content }) => content),
  }));
}

/** Paragraphs outside of lists, numbered within their section. */
function paragraphs(tokens: readonly Token[]): Statement[] {
  const said = tokens.flatMap((token, n) =>
    token.type === 'paragraph_open' && token.level === 0
      ? [{ line: token.map![0], text: tokens[n + 1]!.content }]
      : [],
  );
  return said
    .filter(({ text }) => !INTRODUCTION.test(text))
    .map((paragraph, n) => ({ ...paragraph, key: `paragraph-${n + 1}` }));
}

/** `OAuth token request (JSON body)` → `oauth-token-request`, `3. Restore archived content` → `restore-archived-content`. */
function slug(text: string): string {
  return text
    .replace(/^\d+\. | \(.*\)$/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

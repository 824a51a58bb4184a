import MarkdownIt, { type Token } from 'markdown-it';

/** One statement of the specification: a bullet, a numbered rule, a row of a table, or a paragraph. */
export interface Clause {
  /** `section/kind-key`, such as `acting-user-object/rule-3`, `errors/row-409` or `events/paragraph-1`. */
  readonly id: string;
  /** The headings above it, the innermost last. */
  readonly section: readonly string[];
  /** What it says; a row as `column: cell; column: cell`. */
  readonly text: string;
}

/** A line of nothing but these introduces a list or a table, and says nothing by itself. */
const INTRODUCTION = /^[\w -]+:$/;

/**
 * Reads the clauses of a specification, in its order. An id stays the same as long as the section keeps its heading and
 * the bullets, rules and paragraphs before it stay; a row is named by its first cells.
 * @param markdown CommonMark with tables
 * @throws {Error} when two clauses would have the same id
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

/** The tokens below each heading, up to the next. */
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

/** Bullets are counted within their section; rules have the numbers that they are written with. */
function items(tokens: readonly Token[]): Statement[] {
  let bullets = 0;
  return tokens.flatMap((token, n) => {
    if (token.type !== 'list_item_open') return [];
    // `info` is the number that the item was written with; empty for a bullet.
    const key = token.info === '' ? `bullet-${(bullets += 1)}` : `rule-${token.info}`;
    const text = tokens[n + 2]!.content;
    return INTRODUCTION.test(text) ? [] : [{ line: token.map![0], key, text }];
  });
}

/** Each row by as many of its first cells as tell it from the other rows of its table. */
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

/** Paragraphs outside of lists, counted within their section. */
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

/** `OAuth token request (JSON body)` is `oauth-token-request`, `3. Restore archived content` is `restore-archived-content`. */
function slug(text: string): string {
  return text
    .replace(/^\d+\. | \(.*\)$/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** A JSON value in a text, with the parts of an object or a list. */
interface Node {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly Part[];
}

/** A field of an object or an item of a list. */
interface Part {
  /** Of a field. */
  readonly name?: string;
  /** Where the whitespace before it begins. */
  readonly start: number;
  readonly value: Node;
}

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /"(?:[^"\\]|\\.)*"|[^ \t\r\n,\]}]+/y;

/**
 * Changes a JSON text into that of another value. What is equal keeps its text: indentation, line ends, the form of numbers and
 * strings. The fields of an object get the order of the new value.
 * @param text valid JSON
 */
export function editJson(text: string, value: unknown): string {
  const root = nodeAt(text, endOf(SPACE, text, 0));
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const print = (added: unknown, before: string) =>
    JSON.stringify(added, null, indent).replaceAll('\n', lineEnd + /[ \t]*$/.exec(before)![0]);
  const render = (node: Node, wanted: unknown): string => {
    const own = text.slice(node.start, node.end);
    if (JSON.stringify(JSON.parse(own)) === JSON.stringify(wanted)) return own;
    const [first] = node.parts;
    const entries = entriesOf(wanted);
    if (first === undefined || entries.length === 0 || Array.isArray(wanted) !== own.startsWith('[')) {
      const line = text.slice(text.lastIndexOf('\n', node.start - 1) + 1, node.start);
      return print(wanted, /^[ \t]*/.exec(line)![0]);
    }
    const space = text.slice(first.start, endOf(SPACE, text, first.start));
    const parts = entries.map(([name, field], index) => {
      const old = name === undefined ? node.parts[index] : node.parts.findLast((part) => part.name === name);
      if (old !== undefined) return text.slice(old.start, old.value.start) + render(old.value, field);
      return `${space}${name === undefined ? '' : `${JSON.stringify(name)}: `}${print(field, space)}`;
    });
    return own[0]! + parts.join(',') + text.slice(node.parts.at(-1)!.value.end, node.end);
  };
  return text.slice(0, root.start) + render(root, value) + text.slice(root.end);
}

/** The fields of an object, or the items of a list without a name; none of anything else. */
function entriesOf(value: unknown): (readonly [name: string | undefined, value: unknown])[] {
  if (Array.isArray(value)) return value.map((item: unknown) => [undefined, item] as const);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function nodeAt(text: string, start: number): Node {
  const opening = text[start];
  if (opening !== '{' && opening !== '[') return { start, end: endOf(SCALAR, text, start), parts: [] };
  const parts: Part[] = [];
  let at = start;
  // Each round begins at the opening bracket or at a comma.
  do {
    const begin = at + 1;
    at = endOf(SPACE, text, begin);
    if (text[at] === '}' || text[at] === ']') break;
    const nameEnd = opening === '{' ? endOf(SCALAR, text, at) : at;
    const colon = opening === '{' ? endOf(SPACE, text, nameEnd) + 1 : at;
    const value = nodeAt(text, endOf(SPACE, text, colon));
    const name = opening === '{' ? { name: JSON.parse(text.slice(at, nameEnd)) as string } : {};
    parts.push({ ...name, start: begin, value });
    at = endOf(SPACE, text, value.end);
  } while (text[at] === ',');
  return { start, end: at + 1, parts };
}

/** Where the match of a sticky pattern ends that begins there. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.exec(text);
  return pattern.lastIndex;
}

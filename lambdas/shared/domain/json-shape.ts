/** How much structure a JSON text has. */
export interface JsonShape {
  /** How many objects and lists are inside one another at most: 0 for a text or a number, 1 for a flat object. */
  depth: number;
  /** Members of all objects, each as often as it is written, and elements of all lists. */
  members: number;
}

const LAST_BLANK = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST_OPENS = 0x5b;
const LIST_CLOSES = 0x5d;
const OBJECT_OPENS = 0x7b;
const OBJECT_CLOSES = 0x7d;

/**
 * Counts without parsing, so that a text of absurd structure never becomes values: one pass, and no memory.
 * Of a text that is no JSON the shape says nothing: whether it is JSON, only a parser knows.
 * @see RFC 8259, section 9: a parser may limit the depth of nesting
 */
export function shapeOfJson(text: string): JsonShape {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let isJustOpened = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= LAST_BLANK) continue;
    const isClosing = code === OBJECT_CLOSES || code === LIST_CLOSES;
    // What is not empty has one more than it has commas.
    if (code === COMMA || (isJustOpened && !isClosing)) members += 1;
    isJustOpened = code === OBJECT_OPENS || code === LIST_OPENS;
    if (isJustOpened) depth += 1;
    else if (isClosing) depth -= 1;
    else if (code === QUOTE) at = endOfString(text, at);
    if (depth > deepest) deepest = depth;
  }
  return { depth: deepest, members };
}

/** Whether a shape has no more of either than the other. */
export function isWithin(shape: JsonShape, most: JsonShape): boolean {
  return shape.depth <= most.depth && shape.members <= most.members;
}

/** Where the quote is that ends the string which begins at `start`; beyond the text if there is none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

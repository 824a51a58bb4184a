/** The amount of structure in a JSON text. */
export interface JsonShape {
  /** Maximum nesting of objects and arrays: 0 for a string or a number, 1 for a flat object. */
  depth: number;
  /** Total members of all objects, including duplicates, and elements of all arrays. */
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
 * Counts the structure of a JSON text without parsing it, in one pass and constant memory, so that excessive structure can
 * be refused before parsing. The result is meaningless if the text is not JSON.
 * @see RFC 8259, section 9: a parser may limit the depth of nesting
 */
export function shapeOfJson(text: string): JsonShape {
  const { depth, members } = count(text);
  return { depth, members };
}

/** @returns also the members of the outermost object or array */
function count(text: string): JsonShape & { outermostMembers: number } {
  let currentDepth = 0;
  let depth = 0;
  let members = 0;
  let outermostMembers = 0;
  let isJustOpened = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= LAST_BLANK) continue;
    const isClosing = code === OBJECT_CLOSES || code === LIST_CLOSES;
    // A non-empty object or array has one more member than commas.
    if (code === COMMA || (isJustOpened && !isClosing)) {
      members += 1;
      if (currentDepth === 1) outermostMembers += 1;
    }
    isJustOpened = code === OBJECT_OPENS || code === LIST_OPENS;
    if (isJustOpened) currentDepth += 1;
    else if (isClosing) currentDepth -= 1;
    else if (code === QUOTE) at = endOfString(text, at);
    if (currentDepth > depth) depth = currentDepth;
  }
  return { depth, members, outermostMembers };
}

/** Whether a shape is within a limit. */
export function isWithin(shape: JsonShape, limit: JsonShape): boolean {
  return shape.depth <= limit.depth && shape.members <= limit.members;
}

/**
 * Whether the outermost object of a JSON text has two members with the same name.
 * @param value the parsed text, which has only the last of them
 */
export function hasDuplicateMembers(text: string, value: object): boolean {
  return count(text).outermostMembers !== Object.keys(value).length;
}

/** Index of the quote that closes the string at `start`; past the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

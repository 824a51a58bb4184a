import { CONTENT_ID_RULE, contentKey, isContentId } from '../../contract/content-id';
import { parseJsonObject } from '../../contract/json-object';
import { type ActingUser, REFERENCE_RULE } from '../../contract/restore-operation';
import { shapeOfJson } from '../../lambdas/shared/domain/json-shape';
import { isReference, isSameUser, type RestoreItem } from './item';

/** Maximum lines of a list. */
export const MAX_LINES = 100_000;

/** The contents to restore. */
export interface ContentList {
  /** Each content once, in list order. */
  readonly items: readonly RestoreItem[];
  /** Number of lines that repeat a content. */
  readonly duplicates: number;
  /** What is wrong, such as `line 3: …`, without quoting values. If there are any, nothing may be sent. */
  readonly faults: readonly string[];
}

const FIELDS = ['contentId', 'authorRef', 'collaborationId'];
const NO_USER =
  'found neither authorRef nor collaborationId; allowed: either or both, in the line or as an option';

/**
 * Parses a list: each line is a content id, or an object with `contentId` and `authorRef`, `collaborationId` or both.
 * Ignores empty lines and those that begin with `#`.
 * @param usual who acts if a line does not say
 */
export function parseContentList(text: string, usual: ActingUser): ContentList {
  const lines = text.split(/\r?\n/, MAX_LINES + 2);
  // The last line may end with a line break.
  if (lines.length > MAX_LINES + 1 || (lines[MAX_LINES] ?? '') !== '') {
    return {
      items: [],
      duplicates: 0,
      faults: [`found more than ${MAX_LINES} lines; allowed: at most ${MAX_LINES}`],
    };
  }
  const found = new Map<string, { item: RestoreItem; number: number }>();
  const faults: string[] = [];
  let duplicates = 0;
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const number = index + 1;
    const item = parseLine(trimmed, usual);
    if (typeof item === 'string') {
      faults.push(`line ${number}: ${item}`);
      continue;
    }
    const key = contentKey(item.contentId);
    const known = found.get(key);
    if (known === undefined) found.set(key, { item, number });
    else if (known.item.contentId !== item.contentId)
      faults.push(`line ${number}: found the content of line ${known.number} in a different case`);
    else if (isSameUser(known.item.actingUser, item.actingUser)) duplicates += 1;
    else
      faults.push(
        `line ${number}: found the content of line ${known.number} with a different author or collaboration`,
      );
  }
  return { items: [...found.values()].map(({ item }) => item), duplicates, faults };
}

/** The item of a line, or what is wrong with it. */
function parseLine(line: string, usual: ActingUser): RestoreItem | string {
  const fields = line.startsWith('{') ? parseFields(line) : { contentId: line };
  if (typeof fields === 'string') return fields;
  const { contentId, authorRef, collaborationId } = fields;
  if (!isContentId(contentId)) return `found no content id; allowed: ${CONTENT_ID_RULE}`;
  for (const [name, reference] of Object.entries({ authorRef, collaborationId })) {
    if (reference !== undefined && !isReference(reference)) {
      return `${name}: found something else; allowed: ${REFERENCE_RULE}`;
    }
  }
  const own = {
    ...(isReference(authorRef) && { authorRef }),
    ...(isReference(collaborationId) && { collaborationId }),
  };
  const actingUser: ActingUser = Object.keys(own).length > 0 ? own : usual;
  if (Object.keys(actingUser).length === 0) return NO_USER;
  return { contentId, actingUser };
}

function parseFields(line: string): Record<string, unknown> | string {
  const value = parseJsonObject(line);
  if (value === undefined) return 'found no JSON; allowed: a content id, or a JSON object';
  const names = Object.keys(value);
  if (names.some((name) => !FIELDS.includes(name)))
    return `found an unknown field; allowed: ${FIELDS.join(', ')}`;
  // JSON.parse would keep only the last of two.
  return shapeOfJson(line).members > names.length ? 'found a field twice; allowed: each once' : value;
}

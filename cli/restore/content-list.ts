import { CONTENT_ID_RULE, contentKey, isContentId } from '../../contract/content-id';
import { parseJsonObject } from '../../contract/json-object';
import { type ActingUser, REFERENCE_RULE } from '../../contract/restore-operation';
import { shapeOfJson } from '../../lambdas/shared/domain/json-shape';
import { isReference, isSameUser, type RestoreItem } from './item';

/** As many lines may a list have. */
export const MAX_LINES = 100_000;

/** What is asked to be restored. */
export interface ContentList {
  /** Each content once, in the order of the list. */
  readonly items: readonly RestoreItem[];
  /** Lines that name a content again. */
  readonly duplicates: number;
  /** What is wrong, such as `line 3: …`; with any of them nothing may be sent. What was found is not repeated. */
  readonly faults: readonly string[];
}

const FIELDS = ['contentId', 'authorRef', 'collaborationId'];
const NO_USER =
  'found neither authorRef nor collaborationId; allowed: one of them in the line, or as an option';

/**
 * Reads a list of contents: an id in each line, or an object with `contentId`, and `authorRef` or `collaborationId` or
 * both. Empty lines, and those that begin with `#`, say nothing.
 * @param usual who acts where a line does not say it
 */
export function parseContentList(text: string, usual: ActingUser): ContentList {
  const lines = text.split(/\r?\n/, MAX_LINES + 2);
  // The last of them may end with a line break, after which nothing comes.
  if (lines.length > MAX_LINES + 1 || (lines[MAX_LINES] ?? '') !== '') {
    return { items: [], duplicates: 0, faults: [`found more than ${MAX_LINES} lines; allowed: as many`] };
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
      faults.push(`line ${number}: found the content of line ${known.number} in another case`);
    else if (isSameUser(known.item.actingUser, item.actingUser)) duplicates += 1;
    else
      faults.push(
        `line ${number}: found the content of line ${known.number} with another author or collaboration`,
      );
  }
  return { items: [...found.values()].map(({ item }) => item), duplicates, faults };
}

/** What the line asks for, or what is wrong with it. */
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
    return `found another field; allowed: ${FIELDS.join(', ')}`;
  // Of a name that is written twice, the last would win.
  return shapeOfJson(line).members > names.length ? 'found a field twice; allowed: each once' : value;
}

import { CONTENT_ID_RULE, isContentId } from '../../contract/content-id';
import { type ActingUser, MAX_BODY_BYTES, REFERENCE, REFERENCE_RULE } from '../../contract/restore-operation';
import { type OutcomeName } from '../../contract/restore-outcomes';
import { isWithin, type JsonShape, shapeOfJson } from '../shared/domain/json-shape';

/** What came in, as far as it concerns a restore. */
export interface IncomingRequest {
  contentId: string;
  /** Every Content-Type header that was sent. */
  contentTypes: readonly string[];
  body: Buffer;
}

/** A request whose every part has been checked. */
export interface RestoreRequest {
  contentId: string;
  actingUser: ActingUser;
}

/** A request that is refused before anything is sent. */
export interface Refusal {
  outcome: OutcomeName;
  /** Instead of the outcome's own words: the field, the value found and what is allowed. */
  detail?: string;
}

const FIELDS = ['authorRef', 'collaborationId'] as const;

/** A right body has 1 level and 2 members at most. What is near that is told by field what is wrong with it. */
const MOST_STRUCTURE: JsonShape = { depth: 8, members: 64 };

/**
 * Checks a restore request: media type, size, JSON and its structure, then every field.
 * @see the platform's specification, "Acting-user object" and "Errors" (415, 422)
 */
export function parseRestoreRequest(request: IncomingRequest): RestoreRequest | Refusal {
  if (request.contentTypes.length !== 1 || !isJson(request.contentTypes[0]!)) {
    return { outcome: 'unsupportedMediaType' };
  }
  if (request.body.length > MAX_BODY_BYTES) return { outcome: 'bodyTooLarge' };
  let shape: JsonShape;
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(request.body);
    shape = shapeOfJson(text);
    // Before it is parsed, so nobody asks whether the rest of it is JSON.
    if (!isWithin(shape, MOST_STRUCTURE)) return tooMuchStructure(shape);
    value = JSON.parse(text);
  } catch {
    return { outcome: 'malformedJson' };
  }
  const { contentId } = request;
  if (!isContentId(contentId)) {
    return invalid(`contentId in the path: allowed are ${CONTENT_ID_RULE}`);
  }
  const actingUser = parseActingUser(value, shape.members);
  return 'outcome' in actingUser ? actingUser : { contentId, actingUser };
}

function tooMuchStructure({ depth, members }: JsonShape): Refusal {
  return invalid(
    `body: found a depth of ${depth} and ${members} members; allowed are ${MOST_STRUCTURE.depth} and ${MOST_STRUCTURE.members}`,
  );
}

/** @param members how many the text has: more than the value has where a name is written twice, of which the last would win */
function parseActingUser(value: unknown, members: number): ActingUser | Refusal {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('body: allowed is an object with authorRef, collaborationId or both');
  }
  const unknown = Object.keys(value).find((name) => !FIELDS.some((field) => field === name));
  if (unknown !== undefined)
    return invalid('body: allowed are no other fields than authorRef and collaborationId');
  const actingUser: ActingUser = {};
  for (const field of FIELDS) {
    if (!Object.hasOwn(value, field)) continue;
    const reference = (value as ActingUser)[field];
    if (typeof reference !== 'string' || !REFERENCE.test(reference)) {
      return invalid(`${field}: allowed is a text of ${REFERENCE_RULE}`);
    }
    actingUser[field] = reference;
  }
  const found = Object.keys(actingUser).length;
  if (found === 0) {
    return invalid('body: found neither authorRef nor collaborationId; at least one is needed');
  }
  if (members > found) return invalid('body: found a field twice; allowed is each once');
  return actingUser;
}

function invalid(detail: string): Refusal {
  return { outcome: 'invalidRequest', detail };
}

/** @see RFC 9110, section 8.3.1: type and parameter names in any case; RFC 8259, section 8.1: UTF-8 */
function isJson(contentType: string): boolean {
  return /^application\/json(\s*;\s*charset=("utf-8"|utf-8))?\s*;?$/i.test(contentType.trim());
}

import { CONTENT_ID_RULE, isContentId } from '../../core/restore/content-id';
import {
  type ActingUser,
  MAX_BODY_BYTES,
  REFERENCE,
  REFERENCE_RULE,
} from '../../core/restore/restore-operation';
import { type OutcomeName } from '../../core/restore/restore-outcomes';
import { isWithin, type JsonShape, shapeOfJson } from '../../core/json/json-shape';

export interface IncomingRequest {
  contentId: string;
  contentTypes: readonly string[];
  /** A string if API Gateway passed the body as text, otherwise bytes. */
  body: string | Buffer;
}

export interface RestoreRequest {
  contentId: string;
  actingUser: ActingUser;
}

/** The result for an invalid request. Nothing was sent. */
export interface Refusal {
  outcome: OutcomeName;
  /** Replaces the outcome's default detail. Names the field and what is allowed. */
  detail?: string;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const FIELDS = ['authorRef', 'collaborationId'] as const;

/** More than the 1 level and 2 members of a valid body, so that the error for a small mistake can name the field. */
const MAX_STRUCTURE: JsonShape = { depth: 8, members: 64 };

/**
 * Validates a restore request: media type, size, structure, JSON, then every field.
 * @see the platform's specification, "Acting-user object" and "Errors" (415, 422)
 */
export function parseRestoreRequest(request: IncomingRequest): RestoreRequest | Refusal {
  if (request.contentTypes.length !== 1 || !isJson(request.contentTypes[0]!)) {
    return { outcome: 'unsupportedMediaType' };
  }
  const { body } = request;
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) return { outcome: 'bodyTooLarge' };
  const json = parseJson(body);
  if ('outcome' in json) return json;
  const { contentId } = request;
  if (!isContentId(contentId)) {
    return invalid(`contentId in the path: allowed: ${CONTENT_ID_RULE}`);
  }
  const actingUser = parseActingUser(json.value, json.members);
  return 'outcome' in actingUser ? actingUser : { contentId, actingUser };
}

/** @returns the value, and the number of members in the text */
function parseJson(body: string | Buffer): { value: unknown; members: number } | Refusal {
  try {
    const text = typeof body === 'string' ? withoutByteOrderMark(body) : UTF_8.decode(body);
    const shape = shapeOfJson(text);
    // Before parsing, so a deep or large structure is never built.
    if (!isWithin(shape, MAX_STRUCTURE)) return tooMuchStructure(shape);
    return { value: JSON.parse(text), members: shape.members };
  } catch {
    return { outcome: 'malformedJson' };
  }
}

/** Text is treated like bytes, whose decoder removes the mark. @see RFC 8259, section 8.1 */
function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function tooMuchStructure({ depth, members }: JsonShape): Refusal {
  return invalid(
    `body: found a depth of ${depth} and ${members} members; allowed: ${MAX_STRUCTURE.depth} and ${MAX_STRUCTURE.members}`,
  );
}

/** @param members number in the text; the parsed value has fewer if a field occurs twice */
function parseActingUser(value: unknown, members: number): ActingUser | Refusal {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('body: allowed: an object with authorRef, collaborationId or both');
  }
  const unknown = Object.keys(value).find((name) => !FIELDS.some((field) => field === name));
  if (unknown !== undefined)
    return invalid('body: found an unknown field; allowed: authorRef, collaborationId');
  const actingUser: ActingUser = {};
  for (const field of FIELDS) {
    if (!Object.hasOwn(value, field)) continue;
    const reference = (value as ActingUser)[field];
    if (typeof reference !== 'string' || !REFERENCE.test(reference)) {
      return invalid(`${field}: allowed: a string of ${REFERENCE_RULE}`);
    }
    actingUser[field] = reference;
  }
  const references = Object.keys(actingUser).length;
  if (references === 0) {
    return invalid('body: found neither authorRef nor collaborationId; at least one is required');
  }
  if (members > references) return invalid('body: found a field twice; allowed: each once');
  return actingUser;
}

function invalid(detail: string): Refusal {
  return { outcome: 'invalidRequest', detail };
}

/** @see RFC 9110, section 8.3.1: type and parameter names are case-insensitive; RFC 8259, section 8.1: UTF-8 */
function isJson(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  return /^application\/json(\s*;\s*charset=("utf-8"|utf-8))?\s*;?$/i.test(contentType.trim());
}

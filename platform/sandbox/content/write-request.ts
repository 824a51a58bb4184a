import { z } from 'zod';
import { RefusedRequestError } from '../errors';
import { parseJsonBody } from '../json-body';
import { textSchema } from '../validation';
import { type ActingUser, actingUserSchema, authorFields, creatorFields } from './acting-user';
import { ITEM_TYPES } from './records';

const MAX_TITLE_CHARS = 256;
const MAX_SUMMARY_CHARS = 256;
const MAX_DESCRIPTION_CHARS = 4096;
const MAX_LABEL_CHARS = 64;
const MAX_TAGS = 50;
const MAX_ITEMS = 100;
/** So many faults of a body are reported at once. */
const MAX_REPORTED_FAULTS = 10;
const NO_OBJECT = 'the body is not an object';

const itemSchema = z.object(
  { type: z.enum(ITEM_TYPES, `one of ${ITEM_TYPES.join(', ')}`), summary: textSchema(1, MAX_SUMMARY_CHARS) },
  'an object',
);
/** What a client says about a content. The specification shows none of it: all of it is assumed. */
const fields = {
  title: textSchema(1, MAX_TITLE_CHARS),
  description: textSchema(0, MAX_DESCRIPTION_CHARS),
  tags: list(textSchema(1, MAX_LABEL_CHARS), MAX_TAGS),
  type: textSchema(1, MAX_LABEL_CHARS),
  items: list(itemSchema, MAX_ITEMS),
};
const FIELD_NAMES = Object.keys(fields) as (keyof typeof fields)[];
const changesSchema = z.object(fields).partial();

/** An item as a client gives it; its rank is its place. */
export type NewItem = z.output<typeof itemSchema>;
/** What a write is to change of a content, besides its place in the lifecycle and its owner. */
export type ContentChanges = z.output<typeof changesSchema>;
/** What a write asks for. */
export interface WriteRequest<User extends ActingUser = ActingUser> {
  readonly actingUser: User;
  readonly changes: ContentChanges;
}
type Author = Required<Pick<ActingUser, 'authorRef'>> & ActingUser;

/** The body of `POST /contents`. */
export const creationSchema = z.object(
  {
    ...creatorFields,
    ...fields,
    description: fields.description.default(''),
    tags: fields.tags.default([]),
    type: fields.type.default('course'),
    items: fields.items.default([]),
  },
  NO_OBJECT,
);
/** The body of `PATCH /contents/{id}`. */
export const updateSchema = z
  .object({ ...authorFields, ...changesSchema.shape }, NO_OBJECT)
  .refine(
    (body) => FIELD_NAMES.some((name) => body[name] !== undefined),
    `at least one of ${FIELD_NAMES.join(', ')} is required`,
  );
/** The body of publish and delete. */
export const authorSchema = z.object(authorFields, NO_OBJECT);

/**
 * Reads the body of `POST /contents`.
 * @throws {RefusedRequestError} 400, 422
 */
export function readCreation(body: string): WriteRequest<Author> {
  const { authorRef, collaborationId, ...changes } = readFields(creationSchema, parseJsonBody(body));
  return { actingUser: { authorRef, collaborationId }, changes };
}

/**
 * Reads the body of `PATCH /contents/{id}`: what is given is changed, and something has to be.
 * @throws {RefusedRequestError} 400, 422
 */
export function readUpdate(body: string): WriteRequest<Author> {
  const { authorRef, ...changes } = readFields(updateSchema, parseJsonBody(body));
  return { actingUser: { authorRef }, changes };
}

/**
 * Reads the body of publish and delete: nothing but who does it.
 * @throws {RefusedRequestError} 400, 422
 */
export function readAuthor(body: string): WriteRequest<Author> {
  const { authorRef } = readFields(authorSchema, parseJsonBody(body));
  return { actingUser: { authorRef }, changes: {} };
}

/**
 * Reads the acting user of archive and restore: one of the two references at least.
 * @throws {RefusedRequestError} 400, 422
 */
export function readActingUser(body: string): WriteRequest {
  return { actingUser: readFields(actingUserSchema, parseJsonBody(body)), changes: {} };
}

/**
 * Like {@link readActingUser}, from the headers. There need be no body then; what is there has to be JSON.
 * @throws {RefusedRequestError} 400, 422
 * @see platform specification, "Acting-user object", rule 5 (provisional)
 */
export function readActingUserInHeaders(
  body: string,
  header: (name: string) => string | undefined,
): WriteRequest {
  if (body !== '') parseJsonBody(body);
  const input = { authorRef: header('X-Author-Ref'), collaborationId: header('X-Collaboration-Id') };
  return { actingUser: readFields(actingUserSchema, input), changes: {} };
}

/** The length is checked before the elements are looked at. */
function list<Element extends z.ZodType>(element: Element, max: number) {
  const allowed = `an array of at most ${max}`;
  return z.array(z.unknown(), allowed).max(max, allowed).pipe(z.array(element));
}

/**
 * Reads what a write asks for. Unknown fields are ignored.
 * @throws {RefusedRequestError} 422 that names fields and what is allowed there, never what was found
 */
function readFields<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => [...path, message].map(String));
  const lines = faults.map((parts) =>
    [parts.slice(0, -1).join('.'), parts.at(-1)].filter(Boolean).join(': '),
  );
  throw new RefusedRequestError(422, [...new Set(lines)].slice(0, MAX_REPORTED_FAULTS).join('; '));
}

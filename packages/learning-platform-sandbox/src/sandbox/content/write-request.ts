import { z } from '@hono/zod-openapi';
import { RefusedRequestError } from '../errors';
import { parseJsonBody } from '../json-body';
import { anyOf } from '../openapi/rules';
import { textSchema } from '../validation';
import { type ActingUser, actingUserSchema, authorFields, creatorFields } from './acting-user';
import { ITEM_TYPES } from './records';

const MAX_TITLE_CHARS = 256;
const MAX_SUMMARY_CHARS = 256;
const MAX_DESCRIPTION_CHARS = 4096;
const MAX_LABEL_CHARS = 64;
const MAX_TAGS = 50;
const MAX_ITEMS = 100;
const MAX_REPORTED_FAULTS = 10;
const NO_OBJECT = 'the body is not an object';

/** An item in a request. Its position in the array becomes its rank. */
const itemSchema = z.object(
  { type: z.enum(ITEM_TYPES, `one of ${ITEM_TYPES.join(', ')}`), summary: textSchema(1, MAX_SUMMARY_CHARS) },
  'an object',
);
/** The fields of a content in create and update. All of them are assumed. */
const fields = {
  title: textSchema(1, MAX_TITLE_CHARS),
  description: textSchema(0, MAX_DESCRIPTION_CHARS),
  tags: list(textSchema(1, MAX_LABEL_CHARS), MAX_TAGS),
  type: textSchema(1, MAX_LABEL_CHARS),
  items: list(itemSchema, MAX_ITEMS),
};
const FIELD_NAMES = Object.keys(fields) as (keyof typeof fields)[];
const changesSchema = z.object(fields).partial();

/** The fields that a write changes, apart from status and owner. */
export type ContentChanges = z.output<typeof changesSchema>;
export interface WriteRequest {
  readonly actingUser: ActingUser;
  readonly changes: ContentChanges;
}

/** The body of `POST /contents`. */
export const creationSchema = z
  .object(
    {
      ...creatorFields,
      ...fields,
      description: fields.description.default(''),
      tags: fields.tags.default([]),
      type: fields.type.default('course'),
      items: fields.items.default([]),
    },
    NO_OBJECT,
  )
  .openapi('Creation');
/** The body of `PATCH /contents/{id}`: the fields to change, at least one. */
export const updateSchema = z
  .object({ ...authorFields, ...changesSchema.shape }, NO_OBJECT)
  .refine(
    (body) => FIELD_NAMES.some((name) => body[name] !== undefined),
    `at least one of ${FIELD_NAMES.join(', ')} is required`,
  )
  .openapi('Update', anyOf(FIELD_NAMES));
export const authorSchema = z.object(authorFields, NO_OBJECT).openapi('Author');

/**
 * Reads the body of a write. Unknown fields are ignored.
 * @throws {RefusedRequestError} 400, 422
 */
export function readWrite(body: string, schema: z.ZodType<ActingUser & ContentChanges>): WriteRequest {
  const { authorRef, collaborationId, ...changes } = readFields(schema, parseJsonBody(body));
  return { actingUser: { authorRef, collaborationId }, changes };
}

/**
 * Reads the acting user of archive and restore from the headers. The body may be empty, otherwise it must be JSON.
 * @throws {RefusedRequestError} 400, 422
 * @see platform specification, "Acting-user object", rule 5 (provisional)
 */
export function readActingUserInHeaders(
  body: string,
  headers: Readonly<Record<keyof ActingUser, string | undefined>>,
): WriteRequest {
  if (body !== '') parseJsonBody(body);
  return { actingUser: readFields(actingUserSchema, headers), changes: {} };
}

/** Checks the length first, so that a huge array is refused without validating its elements. */
function list<Element extends z.ZodType>(element: Element, max: number) {
  const allowed = `an array of at most ${max}`;
  return z.preprocess(
    (value, context) => {
      if (Array.isArray(value) && value.length > max) context.addIssue(allowed);
      return value;
    },
    z.array(element, allowed).max(max, allowed),
  );
}

/**
 * Validates the input of a write. Unknown fields are ignored.
 * @throws {RefusedRequestError} 422 that names the fields and what is allowed, but not the values found
 */
function readFields<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const lines = result.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  throw new RefusedRequestError(422, [...new Set(lines)].slice(0, MAX_REPORTED_FAULTS).join('; '));
}

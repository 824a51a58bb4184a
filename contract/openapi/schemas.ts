import { PROBLEM_CODES, type Problem } from '../problem';
import { type ActingUser, REFERENCE, type RestoredItem, type RestoredRecord } from '../restore-operation';
import { type JsonSchema } from './json-schema';

/** One schema per field of a type: a missing or extra field does not compile. */
type FieldsOf<T> = Record<keyof T, JsonSchema>;

const reference = (description: string): JsonSchema => ({
  description: `${description} 1–256 printable ASCII characters, without a space at either end.`,
  type: 'string',
  minLength: 1,
  maxLength: 256,
  pattern: REFERENCE.source,
});

/** Who acts: the body of a request. @see the platform's specification, "Acting-user object" */
export const ACTING_USER: JsonSchema = {
  description:
    'Who acts: at least one of the two fields. With both, the collaboration owns the content and the author acts; with ' +
    'collaborationId alone, the change is recorded against a system account.',
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    authorRef: reference('Reference of the user who acts.'),
    collaborationId: reference('Identifier of the collaboration that owns the content.'),
  } satisfies FieldsOf<ActingUser>,
};

/** @see the platform's specification, "Item" */
export const RESTORED_ITEM: JsonSchema = {
  description:
    'An item of the content. Leaves out fields that the platform omits or sends with another type.',
  type: 'object',
  additionalProperties: false,
  properties: {
    id: { type: 'string', description: 'Unique identifier of the item.' },
    type: { type: 'string', description: 'Item type. The platform may add types at any time.' },
    rank: { type: 'number', description: 'Position within the content, lowest first.' },
    summary: { type: 'string', description: 'Short label shown to learners.' },
    status: {
      type: 'string',
      description: 'Processing state, such as ok or error. The platform may add states at any time.',
    },
    failureReason: { type: 'string', description: 'Why processing failed, if the status is error.' },
  } satisfies FieldsOf<RestoredItem>,
};

/** The body of a success. @see the platform's specification, "Content record as returned by restore" */
export const RESTORED_RECORD: JsonSchema = {
  description:
    'The restored content, with its items in ascending rank. Leaves out all other fields that the platform sends.',
  type: 'object',
  additionalProperties: false,
  required: ['id', 'status', 'items'],
  properties: {
    id: { type: 'string', description: 'Identifier of the content, as the platform sent it.' },
    status: {
      type: 'string',
      description: 'Lifecycle status: published after a restore. The platform may add statuses at any time.',
    },
    items: { type: 'array', items: { $ref: '#/components/schemas/RestoredItem' } },
  } satisfies FieldsOf<RestoredRecord>,
};

/** The body of every error but API Gateway's own. @see RFC 9457, section 3 */
export const PROBLEM: JsonSchema = {
  description: 'Problem details (RFC 9457). Branch on code, never on title or detail.',
  type: 'object',
  additionalProperties: false,
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', const: 'about:blank' },
    title: { type: 'string', description: 'The reason phrase of the status.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', minLength: 1, description: 'What happened, in words for people.' },
    code: {
      type: 'string',
      description: 'What happened, as a stable code for programs.',
      enum: PROBLEM_CODES,
    },
    requestId: {
      type: 'string',
      minLength: 1,
      description: 'Identifies the request. Quote it when you ask for support.',
    },
  } satisfies FieldsOf<Problem>,
};

/** API Gateway's response to a body over its own limit. */
export const GATEWAY_MESSAGE: JsonSchema = {
  description: 'API Gateway’s own error format.',
  type: 'object',
  additionalProperties: false,
  required: ['message'],
  properties: { message: { type: 'string' } },
};

/** A response header. */
export interface DocumentedHeader {
  description: string;
  schema: JsonSchema;
}

/** Response headers besides Content-Type and those that API Gateway adds to every response. */
export const HEADERS = {
  'Cache-Control': {
    description: 'Caches must not store the response.',
    schema: { type: 'string', const: 'no-store' },
  },
  'X-Content-Type-Options': {
    description: 'Clients must not guess another media type than Content-Type.',
    schema: { type: 'string', const: 'nosniff' },
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate (RFC 9110, section 11.6.1), or which scope the token lacks (RFC 6750, section 3.1).',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 0, maximum: 60 },
  },
  Accept: {
    description: 'The media type that the API accepts (RFC 9110, section 15.5.16).',
    schema: { type: 'string', const: 'application/json' },
  },
} as const satisfies Record<string, DocumentedHeader>;

export type HeaderName = keyof typeof HEADERS;

import { errorBody } from '../errors';
import { type Answer, type Header, type JsonContent } from './openapi-document';
import { type JsonSchema } from './zod-json-schema';

/** A reference to a schema in the document's components. */
function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A JSON body with the named component schema. */
export function json(schema: string, example?: unknown): JsonContent {
  return { 'application/json': { schema: ref(schema), ...(example !== undefined && { example }) } };
}

/** A required request body. */
export function body(schema: string, example: unknown, description?: string) {
  return { required: true, ...(description && { description }), content: json(schema, example) } as const;
}

/** An answer without a body. */
export function empty(description: string): Answer {
  return { description };
}

/** A refusal or failure with the platform's error body. */
export function refusal(status: number, description: string, headers?: Record<string, Header>): Answer {
  const schema = { ...ref('Error'), properties: { status: { const: status } } };
  return {
    description,
    ...(headers && { headers }),
    content: { 'application/json': { schema, example: errorBody(status, description) } },
  };
}

/** The sandbox's answer to its own failures. @see platform specification, "Errors", default */
export const UNEXPECTED_ERROR: Answer = {
  description:
    'Unexpected error, possibly a system failure. Contact support if it persists. The sandbox answers 500.',
  content: json('Error', errorBody(500, 'unexpected error')),
};
/** The answer to any request whose body is too large. */
export const TOO_LARGE = refusal(413, 'The request body is larger than 1 MiB. Assumed.');
/** The Cache-Control header of answers that hold a secret. */
export const NO_STORE: Header = { description: 'Always no-store.', schema: { const: 'no-store' } };
/** The challenge of a 401 where only Bearer tokens are accepted. */
export const BEARER_CHALLENGE: Header = {
  required: true,
  description: 'RFC 6750, section 3.',
  schema: { type: 'string' },
};

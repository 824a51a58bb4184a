import { errorBody } from '../errors';
import { type Answer, type Header, type JsonContent } from './openapi-document';
import { type JsonSchema } from './zod-json-schema';

/** A schema of the document's components. */
function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A body of one of the document's schemas. */
export function json(schema: string, example?: unknown): JsonContent {
  return { 'application/json': { schema: ref(schema), ...(example !== undefined && { example }) } };
}

/** A request that has to have such a body. */
export function body(schema: string, example: unknown, description?: string) {
  return { required: true, ...(description && { description }), content: json(schema, example) } as const;
}

/** An answer without a body. */
export function empty(description: string): Answer {
  return { description };
}

/** A refusal, or a failure, in the platform's error body. */
export function refusal(status: number, description: string, headers?: Record<string, Header>): Answer {
  const schema = { ...ref('Error'), properties: { status: { const: status } } };
  return {
    description,
    ...(headers && { headers }),
    content: { 'application/json': { schema, example: errorBody(status, description) } },
  };
}

/** What the sandbox answers when it fails itself. @see platform specification, "Errors", default */
export const UNEXPECTED_ERROR: Answer = {
  description:
    'Unexpected error. It may be a system failure; persistent errors may require support. The sandbox answers 500.',
  content: json('Error', errorBody(500, 'unexpected error')),
};
/** Of every request that has a body. */
export const TOO_LARGE = refusal(413, 'A request body has at most 1 MiB. Assumed.');
/** Of answers that hold a secret. */
export const NO_STORE: Header = { description: 'Always no-store.', schema: { const: 'no-store' } };
/** Of a 401 where a Bearer token is the only credential. */
export const BEARER_CHALLENGE: Header = {
  required: true,
  description: 'RFC 6750, section 3.',
  schema: { type: 'string' },
};

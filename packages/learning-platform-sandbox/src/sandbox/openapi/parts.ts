import { type RouteConfig, z } from '@hono/zod-openapi';
import { errorBody } from '../errors';

type Response = RouteConfig['responses'][string];
export type Headers = Readonly<Record<string, object>>;

const errorSchema = z
  .strictObject({
    status: z.int(),
    error: z.string().describe('Name of the status.'),
    message: z.string(),
  })
  .openapi('Error') satisfies z.ZodType<ReturnType<typeof errorBody>>;

function json<Schema>(schema: Schema, example?: unknown) {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

export function body<Schema extends z.ZodType>(schema: Schema, example: unknown, description?: string) {
  return { required: true, ...(description && { description }), content: json(schema, example) };
}

/** A response, without a body unless it has a schema. */
export function response(description: string, schema?: z.ZodType, headers?: Headers): Response {
  return { description, ...(headers && { headers }), ...(schema && { content: json(schema) }) } as Response;
}

/** A refusal or failure with the platform's error body. */
export function refusal(status: number, description: string, headers?: Headers): Response {
  const schema = { $ref: '#/components/schemas/Error', properties: { status: { const: status } } };
  const content = json(schema, errorBody(status, description));
  return { description, ...(headers && { headers }), content } as Response;
}

/** The sandbox's response to its own failures. @see platform specification, "Errors", default */
export const UNEXPECTED_ERROR = response(
  'Unexpected error, possibly a system failure. Contact support if it persists. The sandbox answers 500.',
  errorSchema,
);
export const TOO_LARGE = refusal(413, 'The request body is larger than 1 MiB. Assumed.');
/** The Cache-Control header of responses that hold a secret. */
export const NO_STORE = { description: 'Always no-store.', schema: { const: 'no-store' } };
/** The challenge of a 401 where only Bearer tokens are accepted. */
export const BEARER_CHALLENGE = {
  required: true,
  description: 'RFC 6750, section 3.',
  schema: { type: 'string' },
};
/** Time of the sandbox's clock. */
export const timeSchema = z.iso.datetime().describe('Sandbox clock time. ISO 8601, UTC.');

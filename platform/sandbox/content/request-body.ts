import { type z } from 'zod';
import { RefusedRequestError } from '../errors';

/** So many faults of a body are told at once. */
const TOLD_FAULTS = 10;

/**
 * Parses the body of a write.
 * @throws {RefusedRequestError} 400 for malformed JSON; the message does not quote it
 */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new RefusedRequestError(400, 'the body is not well-formed JSON');
  }
}

/**
 * Reads what a write asks for. Unknown fields are ignored.
 * @throws {RefusedRequestError} 422 that names fields and what is allowed there, never what was found
 */
export function readFields<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => [...path, message].map(String));
  const lines = faults.map((parts) =>
    [parts.slice(0, -1).join('.'), parts.at(-1)].filter(Boolean).join(': '),
  );
  throw new RefusedRequestError(422, [...new Set(lines)].slice(0, TOLD_FAULTS).join('; '));
}

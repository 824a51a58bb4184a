import { type Context } from 'hono';
import { type z } from 'zod';
import { RefusedRequestError } from '../errors';
import { type InputFault, parseInput } from '../validation';

/**
 * Reads the body of a control request, whatever its content type.
 * @throws {RefusedRequestError} 400 for malformed JSON
 * @throws {InvalidInputError} as {@link parseInput} does
 */
export async function readInput<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
  brokenRules?: (input: unknown) => readonly InputFault[],
): Promise<z.output<Schema>> {
  return parseInput(schema, parseJson(await c.req.text()), brokenRules);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new RefusedRequestError(400, '(whole input): not well-formed JSON');
  }
}

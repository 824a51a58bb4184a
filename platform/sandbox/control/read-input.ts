import { type Context } from 'hono';
import { type z } from 'zod';
import { parseJsonBody } from '../json-body';
import { type InputFault, parseInput } from '../validation';

/**
 * Reads and validates the body of a control request, whatever its content type.
 * @throws {RefusedRequestError} 400 for malformed JSON
 * @throws {InvalidInputError} for invalid input
 */
export async function readInput<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
  brokenRules?: (input: unknown) => readonly InputFault[],
): Promise<z.output<Schema>> {
  const input = parseJsonBody(await c.req.text(), '(whole input): found no JSON; allowed: well-formed JSON');
  return parseInput(schema, input, brokenRules);
}

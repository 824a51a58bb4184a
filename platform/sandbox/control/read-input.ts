import { type Context } from 'hono';
import { type z } from 'zod';
import { parseJsonBody } from '../json-body';
import { type InputFault, parseInput } from '../validation';

/**
 * {@link readJson}, validated.
 * @throws {RefusedRequestError} 400 for malformed JSON
 * @throws {InvalidInputError} for invalid input
 */
export async function readInput<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
  brokenRules?: (input: unknown) => readonly InputFault[],
): Promise<z.output<Schema>> {
  return parseInput(schema, await readJson(c), brokenRules);
}

/** The body of a control request, whatever its content type. @throws {RefusedRequestError} 400 for malformed JSON */
export async function readJson(c: Context): Promise<unknown> {
  return parseJsonBody(await c.req.text(), '(whole input): found no JSON; allowed: well-formed JSON');
}

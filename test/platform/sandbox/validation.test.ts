import { z } from 'zod';
import { InvalidInputError, parseInput } from '../../../platform/sandbox/validation';

const numbers = z.array(z.number());

function issuesOf(schema: z.ZodType, input: unknown): readonly string[] {
  try {
    parseInput(schema, input);
  } catch (error) {
    if (error instanceof InvalidInputError) return error.issues;
    throw error;
  }
  throw new Error('it was read');
}

test('of very many faults the first thousand are told, and how many more there are', () => {
  const issues = issuesOf(numbers, Array(1234).fill(null));

  expect(issues).toHaveLength(1001);
  expect(issues[999]).toMatch(/^999: got null; /);
  expect(issues.at(-1)).toBe('(whole input): 234 more faults');
});

test('more faults within an array than the stack has room for are told of as one', () => {
  const issues = issuesOf(z.array(numbers), [Array(500_000).fill(null)]);

  expect(issues).toEqual(['(whole input): too many faults to list']);
});

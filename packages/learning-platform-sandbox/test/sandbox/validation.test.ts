import { z } from 'zod';
import { countSchema, InvalidInputError, issueLine, parseInput } from '../../src/sandbox/validation';

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

test('reports the first 1,000 faults, and how many more there are', () => {
  const issues = issuesOf(numbers, Array(1234).fill(null));

  expect(issues).toHaveLength(1001);
  expect(issues[999]).toMatch(/^\[999\]: found null; allowed: number$/);
  expect(issues.at(-1)).toBe('(whole input): 234 more faults');
});

test('reports too many faults in an array for the stack as one', () => {
  const issues = issuesOf(z.array(numbers), [Array(500_000).fill(null)]);

  expect(issues).toEqual(['(whole input): too many faults to list']);
});

test('reports an input that is nested too deeply as one fault', () => {
  const issues = issuesOf(z.unknown(), JSON.parse('['.repeat(2000) + ']'.repeat(2000)));

  expect(issues).toEqual([
    '(whole input): found more levels; allowed: at most 1000 levels of arrays and objects',
  ]);
});

test.each<[string, string[], unknown, string]>([
  ['a field', ['a'], 'wrong', 'a: found "wrong"; allowed: b'],
  ['a whole input, which may be a secret', [], 'secret', '(whole input): found "…"; allowed: b'],
  [
    'an object, whose strings may be secrets',
    [],
    { a: 'secret' },
    '(whole input): found {"a":"…"}; allowed: b',
  ],
  ['an object in a field', ['a'], ['secret', 1], 'a: found ["…",1]; allowed: b'],
  ['a field with the empty name', ['a'], { '': 'secret' }, 'a: found {"":"…"}; allowed: b'],
])('names what was found in %s', (_, path, found, line) => {
  expect(issueLine(path, found, 'b')).toBe(line);
});

test('reports a count beyond the exact integers once', () => {
  expect(issuesOf(countSchema, 2 ** 53)).toEqual([
    '(whole input): found 9007199254740992; allowed: int <=9007199254740991',
  ]);
});

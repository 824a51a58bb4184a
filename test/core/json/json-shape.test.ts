import * as fc from 'fast-check';

import { isWithin, type JsonShape, shapeOfJson } from '../../../core/json/json-shape';

/** Computes the shape from the parsed value. */
function shapeOfValue(value: unknown): JsonShape {
  if (typeof value !== 'object' || value === null) return { depth: 0, members: 0 };
  const inside = Object.values(value).map(shapeOfValue);
  return {
    depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
    members: inside.reduce((sum, { members }) => sum + members, inside.length),
  };
}

describe('the shape of a JSON text', () => {
  test.each<[string, number, number]>([
    ['', 0, 0],
    ['"a"', 0, 0],
    ['[ ]', 1, 0],
    ['[\n1\t]', 1, 1],
    ['{"a":1,"a":2}', 1, 2],
    ['{"a":{"b":[1,2,3]}}', 3, 5],
    ['[[1],[2]]', 2, 4],
    ['["[[","]],{"]', 1, 2],
    [String.raw`["\"[[,","\\",1]`, 1, 3],
    [String.raw`{"\\\"[":"\u005b"}`, 1, 1],
  ])('%s has depth %i and %i members', (text, depth, members) => {
    expect(shapeOfJson(text)).toEqual({ depth, members });
  });

  test('is that of the value, whatever the whitespace', () => {
    const whitespace = fc.constantFrom('', ' ', '\n\t', '\r\n');

    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), whitespace, (value, indent) => {
        expect(shapeOfJson(JSON.stringify(value, undefined, indent))).toEqual(shapeOfValue(value));
      }),
    );
  });

  test.each([
    ['a string that never ends', '["a,[[[[[', 1],
    ['a backslash at the end', '["a\\', 1],
    ['closing more than was opened', '[]]]', 1],
    ['a million levels, without a stack overflow', '['.repeat(1_000_000), 1_000_000],
  ])('is counted to the end of a text that is not JSON: %s', (_, text, depth) => {
    expect(shapeOfJson(text).depth).toBe(depth);
  });
});

test.each<[JsonShape, boolean]>([
  [{ depth: 2, members: 3 }, true],
  [{ depth: 3, members: 3 }, false],
  [{ depth: 2, members: 4 }, false],
])('%j within 2 levels and 3 members: %p', (shape, expected) => {
  expect(isWithin(shape, { depth: 2, members: 3 })).toBe(expected);
});

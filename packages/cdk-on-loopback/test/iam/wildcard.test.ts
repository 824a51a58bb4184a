import { matchesResource, matchesWildcards } from '../../src/iam/wildcard';
import { expectProcessorMsBelow } from '../../../../test/support/processor-time';

describe('matchesWildcards', () => {
  it.each<[string, string, boolean]>([
    ['', '', true],
    ['*', '', true],
    ['?', '', false],
    ['a*c', 'abbc', true],
    ['a*c', 'abbcd', false],
    ['*b*b', 'abab', true],
    ['a?c', 'abc', true],
    ['a.c', 'abc', false],
    ['**', 'x', true],
  ])('%s against %s', (pattern, text, expected) => {
    expect(matchesWildcards(pattern, text)).toBe(expected);
  });

  it('stays fast for a pattern with catastrophic backtracking as a regular expression', () =>
    expectProcessorMsBelow(500, () => {
      expect(matchesWildcards('*a'.repeat(30) + 'b', 'a'.repeat(5_000))).toBe(false);
    }));
});

test('matching a resource stays fast for a pattern of many wildcards', () =>
  expectProcessorMsBelow(500, () => {
    const arn = `arn:aws:a:b:c:${'a'.repeat(2_000)}`;
    expect(matchesResource(`arn:aws:a:b:c:${'*a'.repeat(30)}b`, arn)).toBe(false);
  }));

import { matchesWildcards } from '../../../local/iam/wildcard';

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

  it('stays fast for a pattern that would make a regular expression explode', () => {
    const startedAtMs = performance.now();

    expect(matchesWildcards('*a'.repeat(30) + 'b', 'a'.repeat(5_000))).toBe(false);

    expect(performance.now() - startedAtMs).toBeLessThan(500);
  });
});

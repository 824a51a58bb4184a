import { ALL_CHECKS } from '../../src/conformance/checks/all-checks';
import { examine, objectionsTo } from './examine';
import { ALL_VIOLATIONS } from './violations/all-violations';
import { IS_FULL } from '../../../../test/support/test-size';

/** Running all of them takes a minute or more. */
const SAMPLE = IS_FULL ? ALL_VIOLATIONS : ALL_VIOLATIONS.filter((_, n) => n % 8 === 0);
const PATIENCE_MS = 60_000;

describe('a violation proves nothing', () => {
  const violation = { clause: 'a/rule-1', alsoFails: ['depends'] };
  const result = (name: string, clause: string, outcome: 'failed' | 'passed' | 'broken') =>
    ({ name, clauses: [clause], needs: 'read', outcome, reason: '' }) as const;
  const own = result('own', 'a/rule-1', 'failed');
  const depends = result('depends', 'a/rule-2', 'failed');

  it('unless exactly the named checks fail', () => {
    expect(objectionsTo(violation, [own, depends, result('other', 'a/rule-3', 'passed')])).toEqual([]);
  });

  it.each([
    [
      'no check of its clause fails',
      [result('own', 'a/rule-1', 'passed'), depends],
      'no check of the clause fails',
    ],
    ['another check fails too', [own, depends, result('other', 'a/rule-3', 'failed')], 'fails too: other'],
    ['a named check does not fail', [own], 'does not fail: depends'],
    ['a check breaks', [own, depends, result('other', 'a/rule-3', 'broken')], 'broken: other'],
  ])('when %s', (_when, results, objection) => {
    expect(objectionsTo(violation, results)).toEqual([objection]);
  });
});

const failed = new Set<string>();

it.each(SAMPLE.map((violation) => [violation.violation, violation.clause, violation] as const))(
  'a platform that %s fails the checks of %s, and those that depend on it',
  async (_violation, _clause, violation) => {
    const results = await examine(violation);

    expect(objectionsTo(violation, results)).toEqual([]);
    for (const { name, outcome } of results) if (outcome === 'failed') failed.add(name);
  },
  PATIENCE_MS,
);

if (IS_FULL) {
  it('every check fails on some platform', () => {
    expect(ALL_CHECKS.map(({ name }) => name).filter((name) => !failed.has(name))).toEqual([]);
  });
}

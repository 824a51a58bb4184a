import { ALL_CHECKS } from '../../conformance/checks/all-checks';
import { examine, objectionsTo } from './examine';
import { ALL_VARIANTS } from './variants/all-variants';

const isFull = process.env.CONFORMANCE === 'full';
/** All of them take minutes: `npm run test:conformance:variants`. */
const SAMPLE = isFull ? ALL_VARIANTS : ALL_VARIANTS.filter((_, n) => n % 25 === 0);
const PATIENCE_MS = 60_000;

describe('a variant counts for nothing', () => {
  const variant = {
    clause: 'a/rule-1',
    file: 'sandbox/a.ts',
    from: '',
    to: '',
    alsoFails: ['depends'],
  } as const;
  const result = (name: string, clause: string, outcome: 'failed' | 'passed' | 'broken') =>
    ({ name, clauses: [clause], needs: 'read', outcome, reason: '' }) as const;
  const own = result('own', 'a/rule-1', 'failed');
  const depends = result('depends', 'a/rule-2', 'failed');

  it('unless the checks that it names fail, and no other', () => {
    expect(objectionsTo(variant, [own, depends, result('other', 'a/rule-3', 'passed')])).toEqual([]);
  });

  it.each([
    [
      'no check of its clause fails',
      [result('own', 'a/rule-1', 'passed'), depends],
      'no check of the clause fails',
    ],
    ['another check fails too', [own, depends, result('other', 'a/rule-3', 'failed')], 'fails too: other'],
    ['a check that it names does not fail', [own], 'does not fail: depends'],
    ['a check breaks off', [own, depends, result('other', 'a/rule-3', 'broken')], 'broken: other'],
  ])('when %s', (_when, results, objection) => {
    expect(objectionsTo(variant, results)).toEqual([objection]);
  });
});

const failed = new Set<string>();

it.each(SAMPLE.map((variant) => [variant.clause, variant.file, variant.from, variant] as const))(
  'a sandbox that violates %s fails its checks, and those that depend on it (%s, %j)',
  async (_clause, _file, _from, variant) => {
    const results = await examine(variant);

    expect(objectionsTo(variant, results)).toEqual([]);
    for (const { name, outcome } of results) if (outcome === 'failed') failed.add(name);
  },
  PATIENCE_MS,
);

if (isFull) {
  it('every check fails for some variant', () => {
    expect(ALL_CHECKS.map(({ name }) => name).filter((name) => !failed.has(name))).toEqual([]);
  });
}

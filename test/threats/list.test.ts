import { readdirSync } from 'node:fs';

import { type ListedTest, testsIn } from '../support/test-titles';
import { type Threat } from './list/threat';
import { judge } from './support/judge';
import { THREATS } from './threats';

describe('the list of threats', () => {
  test('has T1 to T29, each once and in order', () => {
    expect(THREATS.map(({ id }) => id)).toEqual(Array.from({ length: 29 }, (_, index) => `T${index + 1}`));
  });

  test.each(THREATS.map((threat) => [threat.id, threat] as const))(
    '%s: every proof and every hole is a test that runs',
    (_, threat) => expect(judge(threat, testsIn).faults).toEqual([]),
  );

  test('names pages of decisions', () => {
    const pages = readdirSync('docs/decisions').map((name) => Number(name.slice(0, 4)));

    for (const { id, decisions = [] } of THREATS)
      expect({ id, missing: decisions.filter((number) => !pages.includes(number)) }).toEqual({
        id,
        missing: [],
      });
  });
});

describe('a threat', () => {
  const THREAT: Threat = {
    ...THREATS[0]!,
    proofs: {
      'a.test.ts': ['abuse › by %s: refused'],
      'test/journeys/a.test.ts': ['abuse › (twice)'],
    },
    holes: { 'b.test.ts': ['turns red when $hole.wrong'] },
  };
  const passed = (title: string): ListedTest => ({ title, status: 'passed' });
  const RESULTS: Record<string, ListedTest[]> = {
    'a.test.ts': [
      passed('abuse › by a: refused'),
      passed('abuse › by b\nc: refused'),
      { title: 'another', status: 'failed' },
    ],
    'test/journeys/a.test.ts': [passed('abuse › (twice)')],
    'b.test.ts': [passed('turns red when everybody may')],
  };
  const judged = (more: Record<string, ListedTest[]> = {}, threat = THREAT) =>
    judge(threat, (file) => ({ ...RESULTS, ...more })[file] ?? []);

  test('is prevented if every named test ran and passed, whatever the others do', () => {
    expect(judged()).toMatchObject({ passed: { proofs: 3, onLaptop: 1, holes: 1 }, faults: [] });
  });

  test.each<[string, ReturnType<typeof judged>, string[]]>([
    ['has no proof', judged({}, { ...THREAT, proofs: {} }), ['has no proof']],
    ['has no hole', judged({}, { ...THREAT, holes: { 'b.test.ts': [] } }), ['has no hole']],
    [
      'names a test that is missing',
      judged({ 'b.test.ts': [] }),
      ['b.test.ts has no test “turns red when $hole.wrong”'],
    ],
    [
      'names a part of a title',
      judged({}, { ...THREAT, holes: { 'b.test.ts': ['turns red'] } }),
      ['b.test.ts has no test “turns red”'],
    ],
    [
      'has a row that failed',
      judged({
        'a.test.ts': [...RESULTS['a.test.ts']!, { title: 'abuse › by d: refused', status: 'failed' }],
      }),
      ['failed in a.test.ts: “abuse › by d: refused”'],
    ],
    [
      'has a hole that was skipped',
      judged({ 'b.test.ts': [{ title: 'turns red when everybody may', status: 'pending' }] }),
      ['pending in b.test.ts: “turns red when everybody may”'],
    ],
  ])('that %s is not', (_, verdict, faults) => expect(verdict.faults).toEqual(faults));
});

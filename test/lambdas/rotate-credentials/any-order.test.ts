import * as fc from 'fast-check';

import { CANDIDATE_LABEL, OUTCOME_LABELS, PROVEN_LABEL } from '../../../contract/credential-labels';
import { ROTATION_STEPS } from '../../../contract/rotation';
import { CREDENTIAL_KINDS } from '../../../contract/secret-names';
import { KillPoints } from '../../faults/support/kill-points';
import { RotationFunctions, valueOf } from '../../support/lambdas/rotation-functions';
import { CountedRuns } from '../../../lambdas/rotate-credentials/counted-runs';

/** What can happen to a secret, in any order: names are of credentials and versions at once. */
type Happening =
  | { is: 'stage'; name: string }
  | { is: 'verdict'; name: string; verdict: 'accept' | 'refuse' | 'fail' }
  | { is: 'begin' }
  /** One step, of any run, broken off before or after one of its calls where `killAt` is not 0. */
  | { is: 'step'; step: (typeof ROTATION_STEPS)[number]; run: number; killAt: number }
  /** Two steps at once. */
  | { is: 'pair'; steps: [(typeof ROTATION_STEPS)[number], (typeof ROTATION_STEPS)[number]]; run: number }
  | { is: 'clear' };

const names = fc.constantFrom('a', 'b', 'c');
/** Counted back from the latest run. */
const runs = fc.constantFrom(0, 0, 0, 1, 2);
const steps = fc.constantFrom(...ROTATION_STEPS);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ is: fc.constant('stage' as const), name: names }) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('verdict' as const),
      name: names,
      verdict: fc.constantFrom('accept' as const, 'refuse' as const, 'fail' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('begin' as const) }) },
  {
    weight: 10,
    arbitrary: fc.record({
      is: fc.constant('step' as const),
      step: steps,
      run: runs,
      killAt: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 14 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constant('pair' as const), steps: fc.tuple(steps, steps), run: runs }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('clear' as const) }) },
);

async function play(functions: RotationFunctions, event: Happening): Promise<void> {
  const { secret, proof, kind } = functions;
  const run = (of: { run: number }) => functions.begun.at(-1 - of.run) ?? 'run-never-begun';
  switch (event.is) {
    case 'stage':
      return secret.stage(`version-${secret.versions().length}`, valueOf(kind, event.name));
    case 'verdict':
      return proof[event.verdict](event.name);
    case 'begin':
      return void functions.begin();
    case 'clear':
      return secret.move('AWSPENDING', undefined);
    case 'pair': {
      const [first, second] = event.steps;
      await Promise.all([functions.outcomeOf(first, run(event)), functions.outcomeOf(second, run(event))]);
      return;
    }
    case 'step': {
      const points = new KillPoints(event.killAt);
      const versions = points.watch(secret, 'describe', 'value', 'putPending', 'moveLabel');
      const ports = { ...functions.ports(), versions, proof: points.watch(proof, 'prove') };
      await Promise.race([functions.outcomeOf(event.step, run(event), ports), points.killed]);
      if (event.killAt > 0) functions.countedRuns = new CountedRuns();
    }
  }
}

/** Everything that is looked at between two happenings. */
function look({ secret }: RotationFunctions) {
  return {
    current: secret.valueAt('AWSCURRENT'),
    candidate: secret.valueAt(CANDIDATE_LABEL),
    proven: secret.valueAt(PROVEN_LABEL),
  };
}

function expectSound(functions: RotationFunctions, before: ReturnType<typeof look>, event: Happening): void {
  const { secret, proof, kind } = functions;
  const now = look(functions);
  const accepted = ['old', ...proof.accepted].map((name) => valueOf(kind, name));
  expect(secret.versions().filter(({ labels }) => labels.includes('AWSCURRENT'))).toHaveLength(1);
  expect(accepted).toContain(now.current);
  if (now.proven !== undefined) expect(accepted).toContain(now.proven);
  // A candidate gives way to a newer one, or goes once it is current.
  if (event.is !== 'stage' && now.candidate !== before.candidate) {
    expect(now.candidate).toBeUndefined();
    expect([before.current, now.current]).toContain(before.candidate);
  }
  for (const label of OUTCOME_LABELS) {
    if (secret.holderOf(label) !== undefined) expect(secret.valueAt(label)).toBeDefined();
  }
  expect(functions.visible()).not.toContain('kept-secret-of');
}

test.each(CREDENTIAL_KINDS)(
  'steps of %s in any order, repeated, at once and broken off, leave one current value that was proven, and lose no candidate',
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 40 }), async (happenings) => {
        const functions = new RotationFunctions(kind);
        functions.secret.put('version-old', valueOf(kind, 'old'), []);
        for (const event of happenings) {
          const before = look(functions);
          await play(functions, event);
          expectSound(functions, before, event);
        }
      }),
      { numRuns: 300 },
    );
  },
);

test.each(CREDENTIAL_KINDS)(
  'whatever happened before, a new candidate of %s that works becomes current',
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 30 }), async (happenings) => {
        const functions = new RotationFunctions(kind);
        functions.secret.put('version-old', valueOf(kind, 'old'), []);
        for (const event of happenings) await play(functions, event);

        // As the command does it: what a run left behind is taken off before it rotates anew.
        functions.secret.move('AWSPENDING', undefined);
        functions.secret.stage('version-last', valueOf(kind, 'last'));
        expect(await functions.run(functions.begin())).toBe('done');

        expect(functions.secret.valueAt('AWSCURRENT')).toBe(valueOf(kind, 'last'));
        expect(functions.secret.holderOf(CANDIDATE_LABEL)).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  },
);

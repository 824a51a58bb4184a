import * as fc from 'fast-check';

import { CANDIDATE_LABEL, OUTCOME_LABELS, PROVEN_LABEL } from '../../../core/secrets/credential-labels';
import { ROTATION_STEPS } from '../../../core/rotation/rotation';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../../core/secrets/secret-names';
import { type ProofOutcome } from '../../../lambdas/shared/ports';
import { findCanaries } from '../../support/canaries';
import { ArrangedRotation, idOf } from './rotation-cases';

/** Events that can happen to a secret, in any order. A name stands for both a credential and its version. */
type Happening =
  | { is: 'stage'; name: string }
  | { is: 'verdict'; name: string; verdict: ProofOutcome['kind'] }
  | { is: 'begin' }
  /** One step of any run, killed before or after one of its calls unless `killAt` is 0. */
  | { is: 'step'; step: (typeof ROTATION_STEPS)[number]; run: number; killAt: number }
  /** Two concurrent steps. */
  | { is: 'pair'; steps: [(typeof ROTATION_STEPS)[number], (typeof ROTATION_STEPS)[number]]; run: number }
  | { is: 'clear' };

const names = fc.constantFrom('a', 'b', 'c');
/** Counted back from the latest run. */
const runs = fc.constantFrom(0, 0, 0, 1, 2);
const steps = fc.constantFrom(...ROTATION_STEPS);
const constant = <const Name extends Happening['is']>(name: Name) => fc.constant(name);
const verdicts = fc.constantFrom<ProofOutcome['kind'][]>('proven', 'refused', 'could_not_test');
const killAts = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 14 }));
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ is: constant('stage'), name: names }) },
  { weight: 2, arbitrary: fc.record({ is: constant('verdict'), name: names, verdict: verdicts }) },
  { weight: 3, arbitrary: fc.record({ is: constant('begin') }) },
  { weight: 10, arbitrary: fc.record({ is: constant('step'), step: steps, run: runs, killAt: killAts }) },
  { weight: 2, arbitrary: fc.record({ is: constant('pair'), steps: fc.tuple(steps, steps), run: runs }) },
  { weight: 1, arbitrary: fc.record({ is: constant('clear') }) },
);

/** A secret with its history, and a platform that accepts or refuses its credentials. */
class EventfulRotation extends ArrangedRotation {
  readonly #verdicts = new Map<string, ProofOutcome['kind']>();
  readonly #accepted = new Set([this.world.old]);
  readonly #runs: string[] = [];

  constructor(kind: CredentialKind) {
    super(kind, 'old current');
    this.world.proof = { prove: async (_, { value }) => this.#judge(JSON.stringify(value)) };
  }

  async play(event: Happening): Promise<void> {
    const { world } = this;
    switch (event.is) {
      case 'stage':
        return void world.stage(this.valueOf(event.name));
      case 'verdict':
        return void this.#verdicts.set(this.valueOf(event.name), event.verdict);
      case 'begin':
        return void this.#runs.push(world.begin());
      case 'clear':
        return world.move('AWSPENDING', undefined);
      case 'pair':
        return void (await Promise.all(event.steps.map((step) => world.step(step, this.#runId(event)))));
      case 'step':
        return void (await world.killedAt(event.killAt, () => world.step(event.step, this.#runId(event))));
    }
  }

  look() {
    const [current, candidate, proven] = ['AWSCURRENT', CANDIDATE_LABEL, PROVEN_LABEL].map((label) =>
      this.world.valueAt(label),
    );
    return { current, candidate, proven };
  }

  /** Checks all invariants between two events. */
  expectSound(before: ReturnType<EventfulRotation['look']>, event: Happening): void {
    const { world } = this;
    const now = this.look();
    expect(world.versions().filter(({ labels }) => labels.includes('AWSCURRENT'))).toHaveLength(1);
    expect(this.#accepted).toContain(now.current);
    if (now.proven !== undefined) expect(this.#accepted).toContain(now.proven);
    // A candidate disappears only when a newer one replaces it, or when it becomes current.
    if (event.is !== 'stage' && now.candidate !== before.candidate) {
      expect(now.candidate).toBeUndefined();
      expect([before.current, now.current]).toContain(before.candidate);
    }
    for (const label of OUTCOME_LABELS) {
      if (world.holderOf(label) !== undefined) expect(world.valueAt(label)).toBeDefined();
    }
  }

  #judge(value: string): ProofOutcome {
    const kind = this.#verdicts.get(value) ?? 'proven';
    if (kind !== 'proven') return { kind, reason: 'the test says so' };
    this.#accepted.add(value);
    return { kind };
  }

  #runId({ run }: { run: number }): string {
    return this.#runs.at(-1 - run) ?? idOf('neverbegun');
  }
}

test.each(CREDENTIAL_KINDS)(
  'steps of %s in any order, repeated, concurrent or killed, leave one current value that was proven, lose no candidate, and keep no later one from becoming current',
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 40 }), async (happenings) => {
        const secret = new EventfulRotation(kind);
        const { world } = secret;
        for (const event of happenings) {
          const before = secret.look();
          await secret.play(event);
          secret.expectSound(before, event);
        }
        expect(findCanaries(world.platform.canaries, world.visible())).toEqual([]);

        // Like the command: removes what an earlier run left before it rotates again.
        world.move('AWSPENDING', undefined);
        world.stage(secret.valueOf('last'));
        expect(await world.run(world.begin())).toBe('done');
        expect(secret.look()).toEqual({ current: secret.valueOf('last') });
      }),
      { numRuns: 100 },
    );
  },
);

test.each(CREDENTIAL_KINDS.flatMap((kind) => [true, false].map((keepsPending) => ({ kind, keepsPending }))))(
  'a rotation of $kind makes nothing but the candidate current, whatever was written by hand (AWSPENDING is kept: $keepsPending)',
  async ({ kind, keepsPending }) => {
    const event = fc.oneof(
      fc.record({ is: constant('stage'), name: names }),
      fc.record({ is: fc.constant('hand' as const), name: names }),
      fc.record({ is: fc.constant('run' as const), killAt: killAts }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 20 }), async (events) => {
        const secret = new EventfulRotation(kind);
        const { world } = secret;
        world.keepsPending = keepsPending;
        for (const [index, each] of events.entries()) {
          if (each.is === 'run') {
            const before = secret.look();
            await world.killedAt(each.killAt, () => world.run(world.begin()));
            expect([before.current, before.candidate]).toContain(world.valueAt('AWSCURRENT'));
          } else if (each.is === 'stage') world.stage(secret.valueOf(each.name));
          else world.put(idOf(`hand${index}`), secret.valueOf(each.name), 'AWSCURRENT');
        }
      }),
      { numRuns: 200 },
    );
  },
);

import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
import { ROTATION_STEPS } from '../../../core/rotation/rotation';
import { CREDENTIAL_KINDS } from '../../../core/secrets/secret-names';
import { findCanaries } from '../../support/canaries';
import { ArrangedRotation, idOf, ROTATION_CASES } from './rotation-cases';

const RUN = idOf('run');
const TENANT = '--environment staging --platform-region mea --tenant eu-west-2_Acme';
/** Failures after which the same candidate may still be proven. */
const ROTATED_AGAIN = ['could_not_test', 'not_proven', 'not_pending'];
/** What a run counts, by its result; nothing for other results. */
const COUNTS: Readonly<Record<string, Record<string, number>>> = {
  done: { RotationSucceeded: 1 },
  candidate_missing: { RotationCandidateMissing: 1 },
  candidate_malformed: { RotationFailed: 1 },
  candidate_refused: { RotationRefused: 1 },
  could_not_test: { RotationUntested: 1 },
};
const KILLED = ROTATION_CASES.filter(({ isKilled }) => isKilled).map((given, index) => ({
  ...given,
  kind: CREDENTIAL_KINDS[index % 2]!,
}));

describe.each(CREDENTIAL_KINDS)('%s', (kind) => {
  describe.each(ROTATION_CASES)('with $before', ({ state, steps, run, after, calls }) => {
    const isGivenUp = run === steps.createSecret && run !== 'done';

    test.each(ROTATION_STEPS)('%s alone has the same result, once or twice', async (step) => {
      const arranged = new ArrangedRotation(kind, state);
      const { world } = arranged;
      const currentBefore = world.holderOf('AWSCURRENT');

      const first = await world.step(step, RUN);
      const afterFirst = arranged.state();
      const second = await world.step(step, RUN);

      const isOver = isGivenUp && step === 'createSecret';
      expect([first, second]).toEqual([steps[step], isOver ? 'not_pending' : first]);
      expect(arranged.state()).toBe(afterFirst);
      const isPromoted = step === 'finishSecret' && first === 'done';
      expect(world.holderOf('AWSCURRENT')).toBe(isPromoted ? RUN : currentBefore);
      expect(findCanaries(world.platform.canaries, world.visible())).toEqual([]);
    });

    test('a run has the same result however often it is repeated, is counted once, and says what to do', async () => {
      const arranged = new ArrangedRotation(kind, state);
      const { world } = arranged;

      expect(await world.run(RUN)).toBe(run);

      expect(arranged.state()).toBe(after);
      expect(world.secretsManager.commands).toHaveLength(calls);
      const fields = { credential: kind, tenantId: 'eu-west-2_Acme' };
      if (run === 'done') {
        const line = { level: 'info', message: 'rotation step done', ...fields };
        expect(world.log.lines).toEqual(ROTATION_STEPS.map((step) => ({ ...line, step })));
      } else {
        const { reason, ...failure } = world.log.lines.at(-1)!;
        const step = ROTATION_STEPS.find((each) => steps[each] === run) ?? 'testSecret';
        const line = { level: 'error', message: 'rotation step failed', code: run, step, ...fields };
        expect(failure).toEqual(line);
        const load = kind === 'api-key' ? 'latchkey api-key put' : 'latchkey credentials put';
        const rotate = `latchkey credentials rotate --kind ${kind}`;
        expect(reason).toContain(` ${world.secret.name}`);
        expect(reason).toContain(`run ${ROTATED_AGAIN.includes(run) ? rotate : load} ${TENANT}`);
      }
      for (let repetition = 0; repetition < 3; repetition += 1)
        expect(await world.run(RUN)).toBe(isGivenUp ? 'not_pending' : run);
      expect(arranged.state()).toBe(after);
      expect(world.metrics()).toEqual(COUNTS[run] ?? {});
    });
  });
});

describe.each(KILLED)('with $before, and $kind', ({ kind, state, steps, run, after }) => {
  /** A run in a process that is killed before or after one of its calls. */
  async function runKilledAt(moment = 0) {
    const arranged = new ArrangedRotation(kind, state);
    const { world } = arranged;
    return { arranged, world, ...(await world.killedAt(moment, () => world.run(RUN))) };
  }

  test('a run that is killed anywhere leaves one current value that works, and its repetition has the same result', async () => {
    const { outcome: whole, passed } = await runKilledAt();
    expect(whole).toBe(run);

    for (let moment = 1; moment <= passed; moment += 1) {
      const { arranged, world, outcome } = await runKilledAt(moment);

      expect(outcome).toBe('killed');
      world.expectSound();
      expect([world.old, arranged.valueOf('new')]).toContain(world.valueAt('AWSCURRENT'));
      const results = [run, ...(run === steps.createSecret ? ['not_pending'] : [])];
      expect(results).toContain(await world.run(RUN));
      expect(arranged.state()).toBe(after);
    }
  });

  test('a run that is killed anywhere and never repeated does not block a later one', async () => {
    const { passed } = await runKilledAt();

    for (let moment = 1; moment <= passed; moment += 1) {
      const { arranged, world } = await runKilledAt(moment);
      world.platform.trouble = undefined;

      // What the command does before it rotates again.
      world.move('AWSPENDING', undefined);
      world.stage(arranged.valueOf('next'));

      expect(await world.run(world.begin())).toBe('done');
      expect(world.valueAt('AWSCURRENT')).toBe(arranged.valueOf('next'));
      expect(world.holderOf(CANDIDATE_LABEL)).toBeUndefined();
    }
  });
});

import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
import { ROTATION_STEPS } from '../../../core/rotation/rotation';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../../core/secrets/secret-names';
import { KillPoints } from '../../support/kill-points';
import { findCanaries } from '../../support/canaries';
import { ArrangedRotation, idOf, ROTATION_CASES, type RotationCase } from './rotation-cases';
import { RotationWorld } from './rotation-world';

const RUN = idOf('run');
const TENANT = '--environment staging --platform-region mea --tenant eu-west-2_Acme';
/** Failures after which the same candidate may still be proven. */
const ROTATED_AGAIN = ['could_not_test', 'not_proven', 'not_pending'];

const arrange = (kind: CredentialKind, given: RotationCase) =>
  new ArrangedRotation(new RotationWorld(kind), given);
const KILLED = ROTATION_CASES.filter(({ isKilled }) => isKilled).map((given, index) => {
  return { kind: CREDENTIAL_KINDS[index % 2]!, given, ...given };
});

describe.each(CREDENTIAL_KINDS)('%s', (kind) => {
  describe.each(ROTATION_CASES)('with $before', (given) => {
    const { steps, run, after = given.versions, counts, calls } = given;
    const isGivenUp = run === steps.createSecret && run !== 'done';

    test.each(ROTATION_STEPS)('%s alone has the same result, once or twice', async (step) => {
      const arranged = arrange(kind, given);
      const { world } = arranged;
      const currentBefore = world.holderOf('AWSCURRENT');

      const first = await world.step(step, RUN);
      const afterFirst = arranged.versions();
      const second = await world.step(step, RUN);

      const isOver = isGivenUp && step === 'createSecret';
      expect([first, second]).toEqual([steps[step], isOver ? 'not_pending' : first]);
      expect(arranged.versions()).toEqual(afterFirst);
      const isPromoted = step === 'finishSecret' && first === 'done';
      expect(world.holderOf('AWSCURRENT')).toBe(isPromoted ? RUN : currentBefore);
      expect(findCanaries(world.platform.canaries, world.visible())).toEqual([]);
    });

    test('a run has the same result however often it is repeated, is counted once, and says what to do', async () => {
      const arranged = arrange(kind, given);
      const { world } = arranged;

      expect(await world.run(RUN)).toBe(run);

      expect(arranged.versions()).toEqual(after);
      expect(world.metrics()).toEqual(counts);
      expect(world.secretsManager.commands).toHaveLength(calls);
      const fields = { credential: kind, tenantId: 'eu-west-2_Acme' };
      if (run === 'done') {
        const line = { level: 'info', message: 'rotation step done', ...fields };
        expect(world.log.lines).toEqual(ROTATION_STEPS.map((step) => ({ ...line, step })));
      } else {
        const { reason = '', ...failure } = world.log.lines.at(-1)!;
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
      expect(arranged.versions()).toEqual(after);
      expect(world.metrics()).toEqual(counts);
    });
  });
});

describe.each(KILLED)('with $before, and $kind', ({ kind, given }) => {
  const { run, after = given.versions } = given;

  /** A run in a process that is killed before or after one of its calls. */
  async function runKilledAt(moment = 0) {
    const arranged = arrange(kind, given);
    const { world } = arranged;
    const points = new KillPoints(moment);
    world.between = (ports) => ({
      ...ports,
      versions: points.watch(ports.versions, 'describe', 'read', 'putPending', 'moveLabel'),
      proof: points.watch(ports.proof, 'prove'),
    });
    const outcome = await Promise.race([world.run(RUN), points.killed.then(() => 'killed')]);
    world.between = (ports) => ports;
    world.startNewProcess();
    return { arranged, world, outcome, passed: points.passed };
  }

  test('a run that is killed anywhere leaves one current value that works, and its repetition has the same result', async () => {
    const { outcome: whole, passed } = await runKilledAt();
    expect(whole).toBe(run);

    for (let moment = 1; moment <= passed; moment += 1) {
      const { arranged, world, outcome } = await runKilledAt(moment);

      expect(outcome).toBe('killed');
      world.expectSound();
      const isPromoted = world.valueAt('AWSCURRENT') !== world.old;
      if (isPromoted)
        expect([world.valueAt('AWSCURRENT'), world.holderOf('AWSCURRENT')]).toEqual([
          arranged.valueOf('new'),
          RUN,
        ]);
      expect([run, ...(run === given.steps.createSecret ? ['not_pending'] : [])]).toContain(
        await world.run(RUN),
      );
      expect(arranged.versions()).toEqual(after);
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

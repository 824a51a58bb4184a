import { CANDIDATE_LABEL } from '../../../contract/credential-labels';
import { rotationRow } from './rotation-row';
import { drawKind, type RotationSituation, type RotationWorld } from './rotation-world';

interface Variant extends RotationSituation {
  /** How far the interrupted rotation came. */
  left: 'empty' | 'filled' | 'proven';
}

/** F24: an interrupted rotation left its version pending. */
export const PENDING_LEFT_BEHIND = rotationRow<Variant>({
  id: 'F24',
  fault: 'an interrupted rotation left AWSPENDING behind',
  variant: (draw) => ({
    ...drawKind(draw),
    left: draw.oneOf(['empty', 'filled', 'proven']),
  }),
  run: expectRecovered,
  hole: {
    words: 'the pending version of an earlier attempt does not count as the copy of its candidate',
    with: { left: 'filled' },
    open(world) {
      const { step, versionsPort: versions } = world;
      const { value } = versions;
      world.step = (name, runId) => {
        const readsStrangeValue: typeof value = async (secretId, versionId, timeoutMs) => {
          const stored = await value.call(versions, secretId, versionId, timeoutMs);
          return versionId === runId ? stored && 'a strange value' : stored;
        };
        versions.value = name === 'createSecret' ? readsStrangeValue : value;
        return step.call(world, name, runId);
      };
    },
  },
});

async function expectRecovered(world: RotationWorld, variant: Variant): Promise<void> {
  const { platform, kind, old } = world;
  const first = platform.issueValue(kind);
  const broken = await breakRun(world, variant, first);

  // RotateSecret resumes with the pending version, whatever its value.
  expect(world.begin()).toBe(broken);
  expect(await world.run(broken)).toBe('done');
  expect(world.valueAt('AWSCURRENT')).toBe(first);
  expect(world.valueAt('AWSPREVIOUS')).toBe(old);
  expect(world.holderOf(CANDIDATE_LABEL)).toBeUndefined();
  world.expectSound();

  const second = platform.issueValue(kind);
  const left = await breakRun(world, variant, second);
  expect(await world.clearPending(left)).toBe('moved');
  expect(await world.clearPending(left)).toBe('conflict');

  // A new rotation can start, and the steps of the old one have no more effect.
  const next = world.begin();
  expect(next).not.toBe(left);
  expect(await world.step('finishSecret', left)).toBe('not_pending');
  expect(await world.run(next)).toBe('done');
  expect(world.valueAt('AWSCURRENT')).toBe(second);
  expect(world.metrics()).toEqual({ RotationSucceeded: 2 });
  world.expectSound();
}

async function breakRun(world: RotationWorld, { left }: Variant, value: string): Promise<string> {
  world.stage(value);
  const runId = world.begin();
  if (left !== 'empty') expect(await world.step('createSecret', runId)).toBe('done');
  if (left === 'proven') expect(await world.step('testSecret', runId)).toBe('done');
  return runId;
}

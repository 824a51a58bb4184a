import {
  CANDIDATE_LABEL,
  PROVEN_LABEL,
  REFUSED_LABEL,
  UNTESTED_LABEL,
} from '../../../contract/credential-labels';
import { oauthError, type Turn } from '../support/platform-double';
import { rotationRow } from './rotation-row';
import { drawKind, type RotationSituation, type RotationWorld } from './rotation-world';

interface Variant extends RotationSituation {
  /** How the test of the candidate goes. */
  test: 'refused' | 'answered 503' | 'broken off';
}

const TROUBLE: Partial<Record<Variant['test'], Turn>> = {
  'answered 503': () => oauthError(503),
  'broken off': () => ({ kind: 'reset', after: 'request' }),
};

/** F25: the test of a staged candidate fails, or cannot be completed. */
export const FAILED_TESTS = rotationRow<Variant>({
  id: 'F25',
  fault: 'the platform refuses the candidate, or answers nothing usable',
  variant: (draw) => ({
    ...drawKind(draw),
    test: draw.oneOf(['refused', 'answered 503', 'broken off']),
  }),
  run: expectOldKept,
  hole: {
    words: 'every pending version counts as proven',
    open({ versionsPort: versions }) {
      const { describe } = versions;
      versions.describe = async (secretId) => {
        const secret = await describe.call(versions, secretId);
        const labels = [...secret.labels].map(([versionId, held]) => {
          return [versionId, held.includes('AWSPENDING') ? [...held, PROVEN_LABEL] : held] as const;
        });
        return { ...secret, labels: new Map(labels) };
      };
    },
  },
});

async function expectOldKept(world: RotationWorld, { test }: Variant): Promise<void> {
  const { platform, kind, old } = world;
  const isRefused = test === 'refused';
  const candidateId = world.stage(isRefused ? platform.strangeValue(kind) : platform.issueValue(kind));
  platform.trouble = TROUBLE[test];
  const runId = world.begin();

  // Secrets Manager repeats a failed rotation.
  for (let repetition = 0; repetition < 3; repetition += 1) {
    expect(await world.run(runId)).toBe(isRefused ? 'candidate_refused' : 'could_not_test');
  }
  expect(await world.step('finishSecret', runId)).toBe('not_proven');

  expect(world.valueAt('AWSCURRENT')).toBe(old);
  expect(world.holderOf('AWSPENDING')).toBe(runId);
  expect(world.holderOf(isRefused ? REFUSED_LABEL : UNTESTED_LABEL)).toBe(runId);
  expect(world.holderOf(isRefused ? UNTESTED_LABEL : REFUSED_LABEL)).toBeUndefined();
  expect(world.holderOf(CANDIDATE_LABEL)).toBe(candidateId);
  const outcome = isRefused ? 'RotationRefused' : 'RotationUntested';
  expect(world.metrics()).toEqual({ [outcome]: 1, RotationFailed: 1 });
  world.expectSound();

  await expectNextSucceeds(world, isRefused, runId);
}

/** An untested candidate is tried again; a refused one is replaced with another. */
async function expectNextSucceeds(world: RotationWorld, isRefused: boolean, runId: string): Promise<void> {
  const { platform, kind } = world;
  platform.trouble = undefined;
  if (isRefused) {
    expect(await world.clearPending(runId)).toBe('moved');
    world.stage(platform.issueValue(kind));
  }

  expect(await world.run(world.begin())).toBe('done');

  expect(world.valueAt('AWSPREVIOUS')).toBe(world.old);
  expect(world.holderOf(CANDIDATE_LABEL)).toBeUndefined();
  expect(world.metrics().RotationSucceeded).toBe(1);
  world.expectSound();
}

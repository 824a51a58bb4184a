import { type CredentialKind } from '../../core/secrets/secret-names';
import { KillPoints } from '../support/kill-points';
import { MINUTE_MS } from '../support/lambdas/token-functions';
import { expectFixed, expectSound } from './support/fixed';
import { ROTATION_SCENARIOS } from './support/rotation-scenarios';
import { IS_FULL } from '../support/test-size';

/** After this time a rotation counts as abandoned. */
const LEFT_BEHIND_MS = 11 * MINUTE_MS;
/** Outside of full size, only every twelfth point. */
const STRIDE = IS_FULL ? 1 : 12;
const TIMEOUT_MS = 60_000;

const CASES = ROTATION_SCENARIOS.flatMap(({ points, ...scenario }) =>
  Object.entries(points).map(([kind, count]) => ({ ...scenario, kind: kind as CredentialKind, count })),
);

// test/lambdas/rotate-credentials/outcomes.test.ts kills the function.
test.each(CASES)(
  '$kind $name: a command that is killed, at any point, leaves a state that doctor --fix repairs',
  async ({ kind, ends, count, arrange }) => {
    const counted = new KillPoints();
    const undisturbed = await arrange(kind);
    expect(await undisturbed.run(counted)).toBe(ends);
    await undisturbed.operated.time.advance(LEFT_BEHIND_MS);
    expectSound(undisturbed.operated);
    expect(counted.passed).toBe(count);

    for (let point = 1; point <= count; point += STRIDE) {
      const { operated, mayBeCurrent, run } = await arrange(kind);
      await run(new KillPoints(point));
      await operated.time.advance(LEFT_BEHIND_MS);
      expectSound(operated);
      await expectFixed(operated, mayBeCurrent);
    }
  },
  TIMEOUT_MS,
);

import { doctor } from '../../cli/doctor-command';
import { type Finding } from '../../core/findings/finding';
import { CREDENTIAL_KINDS } from '../../core/secrets/secret-names';
import { KillPoints } from '../support/kill-points';
import { MINUTE_MS } from '../support/lambdas/token-functions';
import { IS_FULL } from '../support/test-size';
import { expectReplaceable, type OperatedDeployment } from './support/operated-deployment';
import { ROTATION_SCENARIOS } from './support/rotation-scenarios';

/** After this time a rotation counts as abandoned. */
const LEFT_BEHIND_MS = 11 * MINUTE_MS;
/** Outside of full size, only every twelfth point. */
const STRIDE = IS_FULL ? 1 : 12;
const TIMEOUT_MS = 60_000;

const CASES = ROTATION_SCENARIOS.flatMap(({ kinds = CREDENTIAL_KINDS, ...scenario }) =>
  kinds.map((kind) => ({ ...scenario, kind })),
);

/** What always holds: one current value, which the platform accepts; or none, if none was ever loaded. */
function expectSound(operated: OperatedDeployment): void {
  const current = operated.versions().filter(({ stages }) => stages.has('AWSCURRENT'));
  expect(operated.wasLoaded ? [1] : [0, 1]).toContain(current.length);
  for (const { secretString } of current)
    expect(operated.platform.accepts(operated.kind, secretString)).toBe(true);
}

/** Runs `doctor --fix`, and expects no fixable finding to remain and the next credential to be loaded normally. */
async function expectFixed(
  operated: OperatedDeployment,
  mayBeCurrent: () => (string | undefined)[],
): Promise<void> {
  operated.platform.trouble = undefined;
  operated.beforeStep = () => undefined;

  await operated.command(doctor, { fix: true, yes: true });

  const { findings } = operated.terminal.results[0]!.document as { findings: Finding[] };
  expect(findings.filter(({ repair }) => repair.fix !== undefined)).toEqual([]);
  expectSound(operated);
  expect(mayBeCurrent()).toContain(operated.valueAt('AWSCURRENT'));
  const current = operated.holderOf('AWSCURRENT');
  // A schedule leaves AWSPENDING behind if nothing was ever loaded; that is normal and blocks nothing.
  if (current !== undefined) expect([undefined, current]).toContain(operated.holderOf('AWSPENDING'));
  await expectReplaceable(operated);
}

// test/lambdas/rotate-credentials/outcomes.test.ts kills the function.
test.each(CASES)(
  '$kind $name: a command that is killed, at any point, leaves a state that doctor --fix repairs',
  async ({ kind, ends, arrange }) => {
    const points = new KillPoints();
    const undisturbed = await arrange(kind);
    expect(await undisturbed.run(points)).toBe(ends);
    await undisturbed.operated.time.advance(LEFT_BEHIND_MS);
    expectSound(undisturbed.operated);
    // Before and after at least two calls.
    expect(points.passed).toBeGreaterThanOrEqual(4);

    for (let point = 1; point <= points.passed; point += STRIDE) {
      const { operated, mayBeCurrent, run } = await arrange(kind);
      await run(new KillPoints(point));
      await operated.time.advance(LEFT_BEHIND_MS);
      expectSound(operated);
      await expectFixed(operated, mayBeCurrent);
    }
  },
  TIMEOUT_MS,
);

import { doctor } from '../../../cli/doctor-command';
import { type Finding } from '../../../core/findings/finding';
import { type OperatedDeployment } from './operated-deployment';

/** Asserts what always holds: one current value, which the platform accepts; or none, if none was ever loaded. */
export function expectSound(operated: OperatedDeployment): void {
  const current = operated.versions().filter(({ stages }) => stages.has('AWSCURRENT'));
  expect(operated.wasLoaded ? [1] : [0, 1]).toContain(current.length);
  for (const { secretString } of current)
    expect(operated.platform.accepts(operated.kind, secretString)).toBe(true);
}

/** Runs `doctor --fix`, and expects no fixable finding to remain and the next credential to be loaded normally. */
export async function expectFixed(
  operated: OperatedDeployment,
  mayBeCurrent: () => (string | undefined)[],
): Promise<void> {
  operated.platform.trouble = undefined;
  operated.beforeStep = () => undefined;

  await operated.command(doctor, { fix: true, yes: true });

  expect(fixable(operated)).toEqual([]);
  expectSound(operated);
  expect(mayBeCurrent()).toContain(operated.valueAt('AWSCURRENT'));
  const current = operated.holderOf('AWSCURRENT');
  // A schedule leaves AWSPENDING behind if nothing was ever loaded; that is normal and blocks nothing.
  if (current !== undefined) expect([undefined, current]).toContain(operated.holderOf('AWSPENDING'));
  await expectReplaceable(operated);
}

/** Expects the next credential to be loaded normally, whatever an earlier rotation left behind. */
export async function expectReplaceable(operated: OperatedDeployment): Promise<void> {
  operated.platform.trouble = undefined;
  operated.beforeStep = () => undefined;
  const next = operated.platform.issueValue(operated.kind);

  expect(await operated.load(next)).toBe('done');

  expect(operated.valueAt('AWSCURRENT')).toBe(next);
}

/** Findings of the last doctor that another run could fix. */
function fixable({ terminal }: OperatedDeployment): Finding[] {
  const { findings } = terminal.results[0]!.document as { findings: Finding[] };
  return findings.filter(({ repair }) => repair.fix !== undefined);
}

import { doctor } from '../../../cli/doctor-command';
import { type Finding } from '../../../inspect/finding';
import { type OperatedDeployment } from './operated-deployment';
import { load } from './operations';

/** What holds at every moment: one current value, which the platform accepts; one at most where none was loaded before. */
export function expectSound(operated: OperatedDeployment): void {
  const current = operated.versions().filter(({ stages }) => stages.has('AWSCURRENT'));
  expect(operated.wasLoaded ? [1] : [0, 1]).toContain(current.length);
  for (const { secretString } of current)
    expect(operated.platform.accepts(operated.kind, secretString)).toBe(true);
}

/** Runs `doctor --fix`, and asks for nothing to be left to mend; then the next credential is replaced as any other. */
export async function expectMended(
  operated: OperatedDeployment,
  mayBeCurrent: () => (string | undefined)[],
): Promise<void> {
  operated.platform.trouble = undefined;
  operated.functions.beforeStep = () => undefined;

  await operated.command(doctor, { fix: true, yes: true });

  expect(fixable(operated)).toEqual([]);
  expectSound(operated);
  expect(mayBeCurrent()).toContain(operated.valueAt('AWSCURRENT'));
  const current = operated.holderOf('AWSCURRENT');
  // What a schedule leaves behind where nothing was ever loaded is no fault, and is in nobody's way.
  if (current !== undefined) expect([undefined, current]).toContain(operated.holderOf('AWSPENDING'));
  await expectReplaceable(operated);
}

/** The next credential is replaced as any other, whatever an earlier rotation has left behind. */
export async function expectReplaceable(operated: OperatedDeployment): Promise<void> {
  operated.platform.trouble = undefined;
  operated.functions.beforeStep = () => undefined;
  const next = operated.platform.issueValue(operated.kind);

  expect(await load(operated, next)).toBe('done');

  expect(operated.valueAt('AWSCURRENT')).toBe(next);
}

/** What the last doctor found, and left for another one to mend. */
function fixable({ terminal }: OperatedDeployment): Finding[] {
  const { findings } = terminal.results[0]!.document as { findings: Finding[] };
  return findings.filter(({ repair }) => repair.fix !== undefined);
}

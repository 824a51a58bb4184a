import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { COMMAND_FINDING_KINDS, FINDING_KINDS } from '../../core/findings/finding-kinds';
import { type Place, placeOf } from './support/journeys';
import { command, findings } from './support/operating';
import { blocksOf, installCommand, pageOf, readRunbook, runShell, shellEnvironment } from './support/runbook';
import { ALARM_SCENARIOS } from './support/runbook-alarm-scenarios';
import { SCENARIOS } from './support/runbook-scenarios';
import { RunningSystem } from './support/running-system';
import { type LocalConfiguration } from './support/synthesized-app';
import { pageIn, redAlarms } from './support/alarms';

const ALL = { ...ALARM_SCENARIOS, ...SCENARIOS };

let folder: string;
let system: RunningSystem;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-runbook-'));
  system = await RunningSystem.startConfigured(oneTenantForEachSection, ['--no-job']);
  installCommand(folder, system);
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
});

const pages = readRunbook();

describe('the runbook', () => {
  it('has a scenario for exactly the sections with code blocks', () => {
    const withBlocks = pages.filter(({ file, text }) => file !== 'README.md' && text.includes('```'));

    expect(Object.keys(ALL).sort()).toEqual(withBlocks.map(({ file }) => file).sort());
  });

  it('lists every finding in its table', () => {
    const { text } = pageOf('README.md');

    const kinds = [...FINDING_KINDS, ...COMMAND_FINDING_KINDS];
    expect(kinds.filter((kind) => !text.includes(`\`${kind}\``))).toEqual([]);
  });

  it('exports every name that the code blocks use', () => {
    const [names] = blocksOf(pageOf('README.md'), 'sh');
    const blocks = pages.flatMap((each) => blocksOf(each, 'sh'));

    const { exitCode, output } = runShell(
      `${names}\nlatchkey() { printf '%s ' "$@"; }\n${blocks.join('\n')}`,
      {},
    );

    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  it.each(Object.keys(ALL))('%s resolves its situation', async (file) => {
    // Arrange
    const blocks = blocksOf(pageOf(file), 'sh');
    const place = placeOfSection(file);
    const { begin, finds = [], inAlarm = [], steps } = ALL[file]!(place);
    expect(steps).toHaveLength(blocks.length);
    await begin();
    expect(await findings(place)).toEqual(expect.arrayContaining(finds));
    for (const kind of inAlarm.length > 0 ? inAlarm : finds) expect(listedUnder(kind)).toContain(file);
    const red = await redAlarms(place);
    for (const alarm of inAlarm) expect(pageIn(red.get(alarm)!)).toBe(file);

    // Act
    for (const [index, { before, input, exitCode = 0, says = /./, after }] of steps.entries()) {
      await before?.();
      const result = runShell(
        blocks[index]!,
        shellEnvironment(folder, place),
        input && JSON.stringify(await input()),
      );
      // Assert
      expect({ block: blocks[index], ...result }).toMatchObject({ exitCode });
      expect(result.output).toMatch(says);
      await after?.();
    }
    expect(await command(place, ['doctor'])).toMatchObject({ exitCode: 0 });
  });
});

/**
 * One deployment with a tenant per section about credentials, and one per section about alarms, since alarms
 * belong to deployments.
 */
function oneTenantForEachSection({ deployments }: LocalConfiguration): void {
  const tokens = ['api/read', 'api/write'].map((scope) => ({ interface: 'content', scope }));
  deployments[0]!.tenants = Object.keys(SCENARIOS).map((_, page) => ({
    tenantId: `eu-west-2_Page${page}`,
    tokens,
  }));
  deployments.splice(2);
}

function placeOfSection(file: string): Place {
  if (file in ALARM_SCENARIOS) return placeOf(system, 'staging', 'mea');
  return placeOf(system, 'staging', 'global', Object.keys(SCENARIOS).indexOf(file));
}

/** The row that the runbook's table has for a finding or an alarm. */
function listedUnder(kind: string): string {
  return pageOf('README.md')
    .text.split('\n')
    .filter((line) => line.includes(`\`${kind}\``))
    .join('\n');
}

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { COMMAND_FINDING_KINDS, FINDING_KINDS } from '../../core/findings/finding-kinds';
import { anchorOf } from '../support/page-links';
import { PROJECT_ROOT } from './support/local-process';
import { blocksOf, textOf } from './support/pages';
import { RunningSystem } from './support/running-system';
import { ALARM_SCENARIOS } from './support/runbook-alarm-scenarios';
import { findings, SCENARIOS } from './support/runbook-scenarios';
import { installCommand, runShell, shellEnvironment } from './support/shell';

const ALL = { ...ALARM_SCENARIOS, ...SCENARIOS };

let folder: string;
let system: RunningSystem;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-runbook-'));
  // A tenant per section about credentials, and a deployment for those about alarms, which belong to deployments.
  system = await RunningSystem.startConfigured(
    (deployments) => {
      deployments.splice(2);
      const tokens = ['api/read', 'api/write'].map((scope) => ({ interface: 'content', scope }));
      deployments[0]!.tenants = Object.keys(SCENARIOS).map((_, page) => ({
        tenantId: `eu-west-2_Page${page}`,
        tokens,
      }));
    },
    ['--no-job'],
  );
  installCommand(folder, system);
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
});

/** The sections of all pages but README.md, as alarms name them: `credentials.md#rollback`. */
const SECTIONS = readdirSync(join(PROJECT_ROOT, 'docs/runbook'))
  .filter((file) => file !== 'README.md')
  .flatMap((file) => {
    const headings = [...textOf(`runbook/${file}`).matchAll(/^## (.*)$/gm)];
    return headings.map(([, heading]) => `${file}#${anchorOf(heading!)}`);
  });
const README = textOf('runbook/README.md');

it('has a scenario for exactly the sections with code blocks', () => {
  const withBlocks = SECTIONS.filter((section) => textOf(`runbook/${section}`).includes('```'));

  expect(Object.keys(ALL).sort()).toEqual(withBlocks.sort());
});

it('lists every finding in its table', () => {
  const kinds = [...FINDING_KINDS, ...COMMAND_FINDING_KINDS];

  expect(kinds.filter((kind) => !README.includes(`\`${kind}\``))).toEqual([]);
});

it('exports every name that the code blocks use', async () => {
  const [names] = blocksOf('runbook/README.md');
  const blocks = ['README.md', ...SECTIONS].flatMap((each) => blocksOf(`runbook/${each}`));

  const shell = await runShell(`${names}\nlatchkey() { printf '%s ' "$@"; }\n${blocks.join('\n')}`, {});

  expect(shell).toMatchObject({ exitCode: 0 });
});

it.each(Object.keys(ALL))('%s resolves its situation', async (section) => {
  // Arrange
  const blocks = blocksOf(`runbook/${section}`);
  const place =
    section in ALARM_SCENARIOS
      ? system.place('staging', 'mea')
      : system.place('staging', 'global', Object.keys(SCENARIOS).indexOf(section));
  const { begin, finds = [], inAlarm = [], steps } = ALL[section]!(place);
  expect(steps).toHaveLength(blocks.length);
  await begin();
  expect(await findings(place)).toEqual(expect.arrayContaining(finds));
  for (const kind of inAlarm.length > 0 ? inAlarm : finds) {
    const row = README.split('\n').find((line) => line.includes(`\`${kind}\``));
    expect(row).toContain(section);
  }
  const red = await place.alarms('ALARM');
  for (const alarm of inAlarm) expect(red.get(alarm)).toContain(`docs/runbook/${section}`);

  // Act
  for (const [index, { before, input, exitCode = 0, says = /./, after }] of steps.entries()) {
    await before?.();
    const shell = await runShell(blocks[index]!, shellEnvironment(folder, place), {
      input: input && JSON.stringify(await input()),
    });
    // Assert
    expect({ block: blocks[index], ...shell }).toMatchObject({ exitCode });
    expect(`${shell.stdout}\n${shell.stderr}`).toMatch(says);
    await after?.();
  }
  expect(await place.command('doctor')).toMatchObject({ exitCode: 0 });
});

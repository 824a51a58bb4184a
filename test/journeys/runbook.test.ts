import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { FINDING_KINDS, type FindingKind } from '../../contract/finding-kinds';
import { type Place, placeOf } from './support/journeys';
import { PROJECT_ROOT } from './support/local-process';
import { command, findings } from './support/operating';
import { blocksOf, pageOf, readRunbook, runShell } from './support/runbook';
import { SCENARIOS } from './support/runbook-scenarios';
import { RunningSystem } from './support/running-system';

let folder: string;
let system: RunningSystem;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-runbook-'));
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify(configurationOf(Object.keys(SCENARIOS).length)));
  system = await RunningSystem.start(['--no-job', '--config', config]);
  const executable = join(PROJECT_ROOT, 'bin/latchkey.cjs');
  const { stateDir } = system.process;
  // The configuration of an account cannot name the laptop: here the command is told so instead.
  writeFileSync(
    join(folder, 'latchkey'),
    `#!/bin/sh\nexec '${process.execPath}' '${executable}' "$@" --local --state-dir '${stateDir}'\n`,
    { mode: 0o755 },
  );
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
});

const pages = readRunbook();

describe('the runbook', () => {
  it('has a scenario for every page, and no other', () => {
    expect(Object.keys(SCENARIOS).sort()).toEqual(
      pages
        .map(({ file }) => file)
        .filter((file) => file !== 'README.md')
        .sort(),
    );
  });

  it('has every finding in its table', () => {
    const { text } = pageOf('README.md');

    expect(FINDING_KINDS.filter((kind) => !text.includes(`\`${kind}\``))).toEqual([]);
  });

  it('exports every name that the blocks use', () => {
    const [names] = blocksOf(pageOf('README.md'), 'sh');
    const blocks = pages.flatMap((each) => blocksOf(each, 'sh'));

    const { exitCode, output } = runShell(
      `${names}\nlatchkey() { printf '%s ' "$@"; }\n${blocks.join('\n')}`,
      {},
    );

    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  it.each(Object.keys(SCENARIOS))('%s leads from the situation to its end', async (file) => {
    // Arrange
    const blocks = blocksOf(pageOf(file), 'sh');
    const place = placeOfPage(file);
    const { begin, finds, steps } = SCENARIOS[file]!(place);
    expect(steps).toHaveLength(blocks.length);
    await begin();
    expect(await findings(place)).toEqual(expect.arrayContaining(finds));
    for (const kind of finds) expect(listedUnder(kind)).toContain(file);

    // Act
    for (const [index, { before, input, exitCode = 0, after }] of steps.entries()) {
      await before?.();
      const result = runShell(blocks[index]!, environmentOf(place), input && JSON.stringify(await input()));
      // Assert
      expect({ block: blocks[index], ...result }).toMatchObject({ exitCode });
      await after?.();
    }
    expect(await command(place, ['doctor'])).toMatchObject({ exitCode: 0 });
  });
});

/** One deployment, with a tenant for each page. */
function configurationOf(tenants: number): object {
  const local = JSON.parse(readFileSync(join(PROJECT_ROOT, 'config/local.json'), 'utf8')) as {
    deployments: { tenants: object[] }[];
  };
  const [deployment] = local.deployments;
  const tokens = ['api/read', 'api/write'].map((scope) => ({ interface: 'content', scope }));
  deployment!.tenants = Array.from({ length: tenants }, (_, page) => ({
    tenantId: `eu-west-2_Page${page}`,
    tokens,
  }));
  return { ...local, deployments: [deployment] };
}

function placeOfPage(file: string): Place {
  const place = placeOf(system, 'staging', 'global');
  return { ...place, tenant: place.deployment.tenants[Object.keys(SCENARIOS).indexOf(file)]! };
}

/** The pages that the table of the runbook gives for a finding. */
function listedUnder(kind: FindingKind): string {
  return pageOf('README.md')
    .text.split('\n')
    .filter((line) => line.includes(`\`${kind}\``))
    .join('\n');
}

function environmentOf({ deployment, tenant }: Place): Record<string, string> {
  return {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    ENVIRONMENT: deployment.environment,
    REGION: deployment.platformRegion,
    TENANT: tenant.tenantId,
  };
}

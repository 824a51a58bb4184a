import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadConfiguration } from '../../../lib/options/load';
import { addRunSandbox, addRunStacks } from '../../../lib/stacks/add-run-stacks';
import { configurationOf } from '../src/configuration';
import { SeededRandom } from '../../../test/support/live/seeded-random';
import { temporaryApp, temporaryFolder } from '../../../test/support/lib/synthesis';
import { printFigures, SEED } from '../../../test/support/test-size';
import { killRuns } from './support/killed-runs';
import { ProvenAccount } from './support/proven-account';

// Each run deploys and removes two tenants and the sandbox.
jest.setTimeout(600_000);
const PREFIX = 'prove-5eed5eed';
const KILLS = 20;

/** The cloud assemblies of a run: the sandbox's and Latchkey's. */
function assemblies(): string[] {
  const origin = 'https://platform.example.com';
  const platform = { contentBaseUrl: `${origin}/rest/v1`, contentTokenBaseUrl: `${origin}/auth` };
  const location = { accountId: '111111111111', region: 'eu-west-1' };
  const file = join(temporaryFolder(), 'latchkey.json');
  writeFileSync(file, JSON.stringify(configurationOf({ prefix: PREFIX, location, platform })));
  const configuration = loadConfiguration(file);
  const [sandbox, latchkey] = [temporaryApp(), temporaryApp()];
  addRunSandbox(sandbox, configuration);
  addRunStacks(latchkey, configuration);
  return [sandbox, latchkey].map((app) => app.synth().directory);
}

test(`nothing of Latchkey and the sandbox is left when run and removal are killed, ${KILLS} times`, async () => {
  const proven = new ProvenAccount();
  await proven.start();

  // One synthesis serves all, because each of them leaves nothing.
  const killed = { kills: KILLS, prefixOf: () => PREFIX, random: new SeededRandom(SEED) };
  const { before, after, figures } = await killRuns(proven, { ...killed, assemblies: assemblies() });
  await proven.close();

  expect(after).toEqual(Array.from({ length: KILLS }, () => before));
  printFigures(figures);
});

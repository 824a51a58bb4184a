import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { RotateSecretCommand } from '@aws-sdk/client-secrets-manager';

import {
  type CommandOptions,
  type CommandResult,
  documentOf,
  latchkey,
  runLatchkey,
} from './support/command';
import { issue, type Place, placeOf } from './support/journeys';
import { setSchedule } from './support/observing';
import { DAY_SEC, loadKeyForDays, openSession } from './support/operating';
import { blocksOf, installCommand, pageOf, runShell, shellEnvironment } from './support/runbook';
import { RunningSystem } from './support/running-system';
import { commandsIn, pageIn, WatchedAlarms } from './support/watched-alarms';

const MINUTE_SEC = 60;
/** For alarms that look back over two sweeps. */
const SOME_SWEEPS_SEC = 15 * MINUTE_SEC;
/** Until credential-watch has looked again. Quicker than six hours: of more than a day, the last ones alone are made up for. */
const A_DAY_LATER_SEC = DAY_SEC + MINUTE_SEC;

/** What an operator knows and has: a place, and its deployment's alarms. */
interface Watched {
  place: Place;
  alarms: WatchedAlarms;
}

let folder: string;
let system: RunningSystem;
let stagingGlobal: Watched;
let stagingMea: Watched;
let productionGlobal: Watched;
let productionMea: Watched;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-alarms-'));
  system = await RunningSystem.start();
  installCommand(folder, system);
  const watch = (environment: string, platformRegion: string, tenant = 0): Watched => {
    const { deployment, ...rest } = placeOf(system, environment, platformRegion);
    const place = { ...rest, deployment, tenant: deployment.tenants[tenant]! };
    return { place, alarms: new WatchedAlarms(place) };
  };
  stagingGlobal = watch('staging', 'global', 1);
  stagingMea = watch('staging', 'mea');
  productionGlobal = watch('production', 'global');
  productionMea = watch('production', 'mea');
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
});

it('nothing rings where all is well', async () => {
  await system.advance(SOME_SWEEPS_SEC);

  await expectQuiet(stagingGlobal);
});

it('a schedule that somebody stopped rings, and the advice starts it again', async () => {
  await setSchedule(stagingMea.place, 'token-sweep', 'DISABLED', system.run.aws);
  await system.advance(SOME_SWEEPS_SEC);
  const red = await expectRinging(stagingMea, ['sweep-silent', 'tokens'], ['tokens']);

  await followCommands(red.get('tokens')!, { exitCode: 1 });
  await followCommands(red.get('sweep-silent')!, { answers: AGREE });

  await system.advance(SOME_SWEEPS_SEC);
  await expectQuiet(stagingMea);
});

it('a credential that the platform refuses rings by the tenant’s name, and the advice replaces it', async () => {
  const { place } = stagingGlobal;
  const { clientId } = await system.secret<{ clientId: string }>(place.tenant.clientCredentialsArn);
  await system.control('DELETE', '/credentials', { clientId });
  await system.advance(50 * MINUTE_SEC);
  const named = `${place.tenant.tenantId}/credential-refused`;
  const red = await expectRinging(stagingGlobal, ['credential-refused', named], [named]);

  await followCommands(red.get('credential-refused')!, { exitCode: 1 });
  await followCommands(red.get(named)!, { input: await issue(place, 'credentials') });

  await system.advance(SOME_SWEEPS_SEC);
  await expectQuiet(stagingGlobal);
});

describe('what the next look at the credentials finds', () => {
  beforeAll(async () => {
    await loadKeyForDays(stagingMea.place, 20);
    await loadKeyForDays(productionGlobal.place, 20);
    const SecretId = productionMea.place.tenant.clientCredentialsArn;
    const { VersionId } = await system.operator.secrets.send(new RotateSecretCommand({ SecretId }));
    await system.advance(5);
    await system.process.printed(new RegExp(`${VersionId} stays pending`));
    await system.advance(A_DAY_LATER_SEC);
  });

  it('an API key with 20 days left rings by the tenant’s name, and the advice replaces it', async () => {
    const { place } = stagingMea;
    const named = `${place.tenant.tenantId}/credential-attention`;
    const red = await expectRinging(stagingMea, ['api-key-expiring', named], [named]);

    const [looked] = await followCommands(red.get(named)!, { exitCode: 1, more: ['--json'] });
    const { findings } = documentOf<{ findings: { repair: { command: string } }[] }>(looked!);
    expect(findings).toHaveLength(1);
    await run(findings[0]!.repair.command, { input: await openSession(place) });
  });

  it('a rotation that is stuck shows and wakes nobody, and the advice clears it', async () => {
    const red = await expectRinging(productionMea, ['rotation-stuck'], []);

    await followCommands(red.get('rotation-stuck')!, { answers: AGREE });
  });

  it('an API key that nobody replaced notifies once more with 5 days left, and the page that the advice names replaces it', async () => {
    const { place } = productionGlobal;
    const named = `${place.tenant.tenantId}/credential-attention`;
    await expectRinging(productionGlobal, ['api-key-expiring', named], [named]);
    await loadKeyForDays(place, 5);
    await system.advance(A_DAY_LATER_SEC);
    const all = ['api-key-expiring', 'api-key-expiring-soon', named];
    const red = await expectRinging(productionGlobal, all, ['api-key-expiring-soon']);

    const description = red.get('api-key-expiring-soon')!;
    await followCommands(description, { exitCode: 1 });
    const [look, generate, lookAgain] = blocksOf(pageOf(pageIn(description)), 'sh');
    const paste = (block: string, input?: object) =>
      runShell(block, shellEnvironment(folder, place), input && JSON.stringify(input));
    expect(paste(look!)).toMatchObject({ exitCode: 1 });
    expect(paste(generate!, await openSession(place))).toMatchObject({ exitCode: 0 });
    expect(paste(lookAgain!)).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['the key with 20 days left', () => stagingMea],
    ['the stuck rotation', () => productionMea],
  ])('%s is quiet after the look that follows', (_, watched) => expectQuiet(watched()));

  it('and so is the key with 5 days left', async () => {
    await system.advance(A_DAY_LATER_SEC);

    await expectQuiet(productionGlobal);
  });
});

/** What an operator does who is asked whether to go on. */
const AGREE = [{ after: /Apply this fix\?|Apply these \d+ fixes\?/, type: 'y' }];

interface Followed extends Pick<CommandOptions, 'answers'> {
  /** For standard input. */
  input?: object;
  /** Further arguments. */
  more?: string[];
  /** @default 0 */
  exitCode?: number;
}

/** Types every command of an alarm's advice as it stands. */
async function followCommands(description: string, followed: Followed): Promise<CommandResult[]> {
  const commands = commandsIn(description);
  expect(commands).not.toEqual([]);
  const results: CommandResult[] = [];
  for (const command of commands) results.push(await run(command, followed));
  return results;
}

async function run(
  command: string,
  { input, answers, more = [], exitCode = 0 }: Followed,
): Promise<CommandResult> {
  const [program, ...words] = [...command.split(' '), ...more];
  expect(program).toBe('latchkey');
  const options = { answers, ...(input !== undefined && { input: JSON.stringify(input) }) };
  // What the running command printed names the system already.
  const result = await (words.includes('--local')
    ? runLatchkey(words, options)
    : latchkey(system, words, options));
  expect({ command, ...result }).toMatchObject({ exitCode });
  return result;
}

/** Red are these alarms and no other, `status` shows each with its advice, and these have notified since the last look. */
async function expectRinging(
  { place, alarms }: Watched,
  ids: string[],
  pages: string[],
): Promise<Map<string, string>> {
  const red = await alarms.red();
  expect([...red.keys()].sort()).toEqual([...ids].sort());
  expect(await alarms.newPages()).toEqual(pages);
  const shown = await alarms.shown();
  expect(shown.exitCode).toBe(1);
  expect([...shown.red.keys()].sort()).toEqual([...ids].sort());
  const { environment, platformRegion } = place.deployment;
  for (const [id, description] of shown.red) {
    expect(shown.text).toContain(`alarm ${environment} ${platformRegion} ${id.replace('/', ' ')} `);
    expect(shown.text).toContain(description);
    // The command adds only what names the laptop.
    expect(description.replaceAll(/ --local --state-dir [^`]+`/g, '`')).toBe(red.get(id));
  }
  return red;
}

async function expectQuiet({ alarms }: Watched): Promise<void> {
  expect([...(await alarms.red()).keys()]).toEqual([]);
  expect(await alarms.newPages()).toEqual([]);
  const shown = await alarms.shown();
  expect(shown).toMatchObject({ exitCode: 0, red: new Map() });
  expect(shown.text).toContain('No action needed');
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  AGREE,
  type CommandOptions,
  type CommandResult,
  documentOf,
  latchkey,
  runLatchkey,
} from './support/command';
import { issue, type Place, placeOf } from './support/journeys';
import { setSchedule } from './support/observing';
import { DAY_SEC, leavePending, loadKeyForDays, openSession } from './support/operating';
import { blocksOf, installCommand, pageOf, runShell, shellEnvironment } from './support/runbook';
import { RunningSystem } from './support/running-system';
import { commandsIn, pageIn, WatchedAlarms } from './support/watched-alarms';

const MINUTE_SEC = 60;
/** Longer than the window of the alarms that look back over two sweeps. */
const SOME_SWEEPS_SEC = 15 * MINUTE_SEC;
/**
 * A day is faster to simulate than six hours: beyond a day, only the last runs of credential-watch are made
 * up for.
 */
const A_DAY_LATER_SEC = DAY_SEC + MINUTE_SEC;

/** A place and the alarms of its deployment. */
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

it('no alarm is on in a healthy system', async () => {
  await system.advance(SOME_SWEEPS_SEC);

  await expectQuiet(stagingGlobal);
});

it('a disabled schedule goes into alarm, and the alarm’s advice enables it again', async () => {
  await setSchedule(stagingMea.place, 'token-sweep', 'DISABLED', system.run.aws);
  await system.advance(SOME_SWEEPS_SEC);
  const red = await expectInAlarm(stagingMea, ['sweep-silent', 'tokens'], ['tokens']);

  await followCommands(red.get('tokens')!, { exitCode: 1 });
  await followCommands(red.get('sweep-silent')!, { answers: AGREE });

  await system.advance(SOME_SWEEPS_SEC);
  await expectQuiet(stagingMea, ['tokens is over']);
});

it('a credential that the platform refuses goes into alarm under the tenant’s name, and the advice replaces it', async () => {
  const { place } = stagingGlobal;
  const { clientId } = await system.secret<{ clientId: string }>(place.tenant.clientCredentialsArn);
  await system.control('DELETE', '/credentials', { clientId });
  await system.advance(50 * MINUTE_SEC);
  const named = `${place.tenant.tenantId}/credential-refused`;
  const red = await expectInAlarm(stagingGlobal, ['credential-refused', named], [named]);

  await followCommands(red.get('credential-refused')!, { exitCode: 1 });
  const [looked] = await followCommands(red.get(named)!, { exitCode: 1, more: ['--json'] });
  const { findings } = documentOf<{ findings: { kind: string; repair: { command: string } }[] }>(looked!);
  const refused = findings.find(({ kind }) => kind === 'credential_refused')!;
  await run(refused.repair.command, { input: await issue(place, 'credentials') });

  await system.advance(SOME_SWEEPS_SEC);
  await expectQuiet(stagingGlobal, [`${named} is over`]);
});

describe('the findings of the next credential watch', () => {
  beforeAll(async () => {
    await loadKeyForDays(stagingMea.place, 20);
    await loadKeyForDays(productionGlobal.place, 20);
    await system.advance(A_DAY_LATER_SEC / 2);
    await leavePending(productionMea.place, productionMea.place.tenant.clientCredentialsArn);
    await system.advance(A_DAY_LATER_SEC / 2);
    // A day of every function's runs takes most of the usual time, and more on a busy machine.
  }, 300_000);

  it('an API key that expires in 20 days goes into alarm under the tenant’s name, and the advice replaces it', async () => {
    const { place } = stagingMea;
    const named = `${place.tenant.tenantId}/credential-attention`;
    const red = await expectInAlarm(stagingMea, ['api-key-expiring', named], [named]);

    const [looked] = await followCommands(red.get(named)!, { exitCode: 1, more: ['--json'] });
    const { findings } = documentOf<{ findings: { repair: { command: string } }[] }>(looked!);
    expect(findings).toHaveLength(1);
    await run(findings[0]!.repair.command, { input: await openSession(place) });
  });

  it('a stuck rotation goes into alarm without notifying anyone, and the advice clears it', async () => {
    const red = await expectInAlarm(productionMea, ['rotation-stuck'], []);

    await followCommands(red.get('rotation-stuck')!, { answers: AGREE });
  });

  it('an API key that was not replaced notifies again 5 days before it expires, and the advised runbook page replaces it', async () => {
    const { place } = productionGlobal;
    const named = `${place.tenant.tenantId}/credential-attention`;
    await expectInAlarm(productionGlobal, ['api-key-expiring', named], [named]);
    await loadKeyForDays(place, 5);
    await system.advance(A_DAY_LATER_SEC);
    const all = ['api-key-expiring', 'api-key-expiring-soon', named];
    const red = await expectInAlarm(productionGlobal, all, ['api-key-expiring-soon']);

    const description = red.get('api-key-expiring-soon')!;
    await followCommands(description, { exitCode: 1 });
    const [look, generate, lookAgain] = blocksOf(pageOf(pageIn(description)), 'sh');
    const paste = (block: string, input?: object) =>
      runShell(block, shellEnvironment(folder, place), input && JSON.stringify(input));
    expect(paste(look!)).toMatchObject({ exitCode: 1 });
    expect(paste(generate!, await openSession(place))).toMatchObject({ exitCode: 0 });
    expect(paste(lookAgain!)).toMatchObject({ exitCode: 0 });
  });

  it.each<[string, () => Watched, (watched: Watched) => string[]]>([
    ['the key that expires in 20 days', () => stagingMea, attentionIsOver],
    ['the stuck rotation', () => productionMea, () => []],
  ])('%s is out of alarm after the next watch', (_, watched, over) =>
    expectQuiet(watched(), over(watched())),
  );

  it('so is the key that expires in 5 days', async () => {
    await system.advance(A_DAY_LATER_SEC);

    const over = ['api-key-expiring-soon is over', ...attentionIsOver(productionGlobal)];
    await expectQuiet(productionGlobal, over);
  });
});

interface Followed extends Pick<CommandOptions, 'answers'> {
  /** Written to standard input as JSON. */
  input?: object;
  /** Additional arguments. */
  more?: string[];
  /** @default 0 */
  exitCode?: number;
}

/** Runs every command in an alarm’s advice exactly as written. */
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
  // Commands that the CLI prints already select the system.
  const result = await (words.includes('--local')
    ? runLatchkey(words, options)
    : latchkey(system, words, options));
  expect({ command, ...result }).toMatchObject({ exitCode });
  return result;
}

/**
 * Expects exactly these alarms to be red, `status` to show each with its advice, and these to have notified
 * since the last check.
 */
async function expectInAlarm(
  { place, alarms }: Watched,
  ids: string[],
  pages: string[],
): Promise<Map<string, string>> {
  const red = await alarms.red();
  expect([...red.keys()].sort()).toEqual([...ids].sort());
  expect(await alarms.newNotices()).toEqual(pages);
  const shown = await alarms.shown();
  expect(shown.exitCode).toBe(1);
  expect([...shown.red.keys()].sort()).toEqual([...ids].sort());
  const { environment, platformRegion } = place.deployment;
  for (const [id, description] of shown.red) {
    // Under the finding that is its cause, with its own advice, or over.
    const caused = [...shown.text.replaceAll(/\s+/g, ' ').matchAll(/In alarm for [^;→]*: ([a-z0-9, -]+)/g)];
    if (!caused.some(([, names]) => names!.includes(id.split('/').at(-1)!))) {
      const line = `alarm ${environment} ${platformRegion} ${id.replace('/', ' ')} `;
      const [, block = ''] = shown.text.split(line);
      expect(shown.text).toContain(line);
      // Of a secret that was written again, the fault that began the alarm is over.
      const isOver = /^[^✗!]*The fault that began it is over/.test(block);
      if (!isOver) expect(block).toContain(description);
    }
    // Apart from the flags that select the laptop system, the texts are equal.
    expect(description.replaceAll(/ --local --state-dir [^`]+`/g, '`')).toBe(red.get(id));
  }
  return red;
}

function attentionIsOver({ place }: Watched): string[] {
  return [`${place.tenant.tenantId}/credential-attention is over`];
}

/** Expects no red alarm, and exactly these notices since the last check. */
async function expectQuiet({ alarms }: Watched, notices: string[] = []): Promise<void> {
  expect([...(await alarms.red()).keys()]).toEqual([]);
  expect(await alarms.newNotices()).toEqual(notices);
  const shown = await alarms.shown();
  expect(shown).toMatchObject({ exitCode: 0, red: new Map() });
  expect(shown.text).toContain('No action needed');
}

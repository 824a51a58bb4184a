import { type AlarmReadings as Readings } from 'cdk-on-loopback/testing';

import { DEPLOYMENT_ALARM_ROWS, TENANT_ALARM_ROWS } from '../../core/alarms/alarm-rows';
import { type Configured } from '../support/live/configured';
import { IS_FULL } from '../support/test-size';
import { type Fault, FAULTS, UNTIL_SEEN_MS } from './support/replay/faults';
import { sweepIrregularly } from './support/replay/irregular-sweeps';
import { expectNotified, READINGS } from './support/replay/notifications';
import { HOUR_MS, MINUTE_MS, Replay, replayedTemplates } from './support/replay/replay';

jest.setTimeout(8 * 60_000);
/** From the first sweep, five minutes after credentials are loaded, until just before the first token is due. */
const UNTIL_DUE_MS = 44 * MINUTE_MS;
/** A command, or a page of the runbook. */
const ADVICE = /`latchkey [^`]+`|docs\/runbook\/[a-z-]+\.md/;
const ROWS = { ...DEPLOYMENT_ALARM_ROWS, ...TENANT_ALARM_ROWS };

let two: Configured;
beforeAll(() => (two = replayedTemplates(2)));

type Case = [title: string, fault: Fault, readings: Partial<Readings>, isWithoutEvents: boolean];

/**
 * All faults in each reading in `npm run test:full`; otherwise each that an operator ends, and the first of each distinct
 * result per row, in turn. Also with `trailEvents` while every event is lost: then the functions learn of changes only by
 * their own looks.
 */
function cases(): Case[] {
  const results = new Map<string, Fault>();
  for (const fault of FAULTS) {
    const result = `${fault.id} ${IS_FULL || fault.isAdvised ? fault.fault : fault.pages?.join()}`;
    if (!results.has(result)) results.set(result, fault);
  }
  return [...results.values()].flatMap((row, index) => {
    const readings = IS_FULL ? READINGS : [READINGS[index % READINGS.length]!];
    const losses = IS_FULL ? [false, true] : [index % 2 === 1];
    return readings.flatMap((reading) =>
      losses.map((isWithoutEvents): Case => {
        const fault = { ...row, ...(isWithoutEvents && row.withoutEvents) };
        const notified = fault.pages?.join() ?? 'nobody';
        const how = `${Object.values(reading).join()}${isWithoutEvents ? ', events lost' : ''}`;
        return [`${fault.id}: ${fault.fault}, notifies ${notified} ${how}`, fault, reading, isWithoutEvents];
      }),
    );
  });
}

/** Until just before tokens are due, which is the worst moment, and then for as long as the fault lasts. */
async function letHappen(fault: Fault, replay: Replay): Promise<void> {
  const { answer, ofTenants, store = () => undefined, restores = [], forMs = 0 } = fault;
  await replay.time.advance(UNTIL_DUE_MS);
  replay.platform.setTrouble(answer, ofTenants);
  replay.storeTrouble = store;
  replay.platform.content.script.push(...restores);
  await fault.happen?.(replay);
  await (answer === undefined ? replay.time.advance(forMs) : sweepIrregularly(replay, forMs));
}

async function end({ isAdvised }: Fault, replay: Replay): Promise<void> {
  replay.platform.setTrouble(undefined);
  replay.storeTrouble = () => undefined;
  if (isAdvised) await replay.operator.followAdvice();
  await replay.time.advance(6 * MINUTE_MS);
}

/** The blocks below a table: a finding or an alarm each. */
function blocksOf(text: string): string[] {
  return text.split(/^(?=[✗!] )/m).slice(1);
}

/** The blocks of `status`, without those of the last day, or of tokens that are still stored. */
async function presentBlocks({ operator }: Replay): Promise<string[]> {
  const blocks = blocksOf(await operator.read('status'));
  return blocks.filter((block) => !/In the last day|issues the token/.test(block));
}

/** What `status` and `doctor` say during a fault: of the right tenant, one finding with one next step. */
async function expectShown({ id, pages = [] }: Fault, { operator }: Replay): Promise<void> {
  const shown = blocksOf(await operator.read('status'));
  const ofOther = await operator.read('status', 'tenant-2');
  const explained = blocksOf(await operator.read('doctor')).filter(
    (block) => !block.includes('Check failed'),
  );

  expect(shown).not.toEqual([]);
  // Without a reason, each of the two tenants has a finding, such as `critical staging mea tenant-1`.
  expect(new Set(shown.map((block) => block.slice(2, block.indexOf('\n')))).size).toBe(shown.length);
  // While nothing can be read, the alarm is not known to be of the same fault.
  expect(shown.length).toBeLessThanOrEqual(id === 'F14' ? 4 : 2);
  expect(shown.join()).not.toContain('over.');
  expect(explained.length).toBeLessThanOrEqual(id === 'F14' ? 3 : 1);
  for (const block of [...shown, ...explained]) expect(block).toMatch(/→|Run\s+`|\. Find\s|https:(?![^]*→)/);
  if (pages.every((page) => page.startsWith('tenant-1/')))
    expect(blocksOf(ofOther).filter((block) => !block.includes('No fault of the chosen'))).toEqual([]);
}

/** What `status` says soon after a fault: only that it is over, of alarms that still are on. */
async function expectShownAsOver(replay: Replay): Promise<void> {
  for (const block of await presentBlocks(replay)) {
    const [, id = ''] = /^[✗!] alarm {2}.* {2}(\S+)\n/.exec(block) ?? [];
    const { isFound = id === '' }: { isFound?: boolean } = ROWS[id as keyof typeof ROWS] ?? {};
    expect(block).toMatch(
      isFound ? /The fault is over\.|No token is affected now\./ : /If the fault\s+is over,/,
    );
  }
}

test('every row of the fault matrix has a replay', () => {
  const rows = new Set(cases().map(([, { id }]) => id));

  expect([...rows].sort()).toEqual(Array.from({ length: 37 }, (_, index) => `F${index + 1}`).sort());
});

test.each(cases())('%s', async (_, fault, readings, isWithoutEvents) => {
  const { pages = [], inAlarm = [], isAdvised = false, isLoaded, forMs = 0 } = fault;
  const isShown = isAdvised || pages.length > 0;
  const deployments = two.deployments.map((each) => ({
    ...each,
    ...(isWithoutEvents && { trailEvents: true as const }),
  }));
  const replay = await Replay.start({ ...two, deployments }, { isLoaded, readings });

  await letHappen(fault, replay);
  if (isShown) await expectShown(fault, replay);
  await end(fault, replay);
  if (isShown) await expectShownAsOver(replay);
  // What only credential-watch sees is over with its next run, and the hour in which its alarms are evaluated.
  await replay.time.advance(forMs < UNTIL_SEEN_MS ? 2.5 * HOUR_MS : 7 * HOUR_MS);

  if (isShown) expect(await presentBlocks(replay)).toEqual([]);
  expectNotified(replay, pages);
  expect(replay.alarmed()).toEqual(expect.arrayContaining([...inAlarm]));
  for (const { description } of replay.pages()) expect(description).toMatch(ADVICE);
});

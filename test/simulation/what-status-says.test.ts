import { DEPLOYMENT_ALARM_ROWS, TENANT_ALARM_ROWS } from '../../core/alarms/alarm-rows';
import { endFault, type FaultReplay, HOUR_MS, MINUTE_MS, startScene } from './support/replay/fault-replay';
import { FAULTS } from './support/replay/faults';
import { replayedTemplates } from './support/replay/replay';
import { type Configured } from '../support/live/configured';

/** What alarms and faults of a kind show. */
const lookOf = ({ id, pages, inAlarm = [] }: FaultReplay) => [id > 'F13' && id, ...pages, ...inAlarm].join();

/**
 * What `status` says during each fault that notifies somebody or that an operator ends, and after it: of the right tenant, one
 * finding with one next step, nothing of the fault once it is over, and no alarm hours later. Every command that it prints is
 * run as printed.
 */
const SHOWN = FAULTS.filter(
  ({ pages, end }, index, all) =>
    end === 'as advised' ||
    // One of those that look the same.
    (pages.length > 0 && all.findIndex((each) => lookOf(each) === lookOf(all[index]!)) === index),
);
const ROWS = { ...DEPLOYMENT_ALARM_ROWS, ...TENANT_ALARM_ROWS };
const UNTIL_DUE_MS = 44 * MINUTE_MS;
jest.setTimeout(8 * 60_000);

let two: Configured;
beforeAll(() => (two = replayedTemplates(2)));

/** The blocks below the table: a finding or an alarm each. */
function blocksOf(text: string): string[] {
  return text.split(/^(?=[✗!] )/m).slice(1);
}

/** Such as `critical staging mea tenant-1`. */
function headOf(block: string): string {
  return block.slice(2, block.indexOf('\n'));
}

/** What a finding says of the last day, or of tokens that are still stored. */
const OF_THE_PAST = /In the last day|issues the token/;

const named = SHOWN.map((fault): [string, FaultReplay] => [`${fault.id}: ${fault.fault}`, fault]);

test.each(named)('%s', async (_, fault) => {
  const scene = await startScene(two, fault.isLoaded);
  const { replay, operator } = scene;
  await replay.time.advance(UNTIL_DUE_MS);

  await fault.happen(scene);
  const during = blocksOf(await operator.read('status'));
  const ofOther = await operator.read('status', 'tenant-2');
  const explained = blocksOf(await operator.read('doctor')).filter(
    (block) => !block.includes('Check failed'),
  );
  await endFault(fault, scene);
  await replay.time.advance(6 * MINUTE_MS);
  const after = blocksOf(await operator.read('status')).filter((block) => !OF_THE_PAST.test(block));
  await replay.time.advance((fault.quietAfterHours ?? 2.5) * HOUR_MS);
  const quiet = await operator.read('status');

  expect(during).not.toEqual([]);
  // Without a reason, each of the two tenants has a finding.
  expect(new Set(during.map(headOf)).size).toBe(during.length);
  // While nothing can be read, the alarm is not known to be of the same fault.
  expect(during.length).toBeLessThanOrEqual(fault.id === 'F14' ? 4 : 2);
  for (const block of during) expect(block).not.toContain('over.');
  expect(explained.length).toBeLessThanOrEqual(fault.id === 'F14' ? 3 : 1);
  for (const block of [...during, ...explained])
    expect(block.match(/→|Run\s+`|\. Find\s|https:(?![^]*→)/g)?.length).toBeGreaterThan(0);
  if (fault.pages.every((page) => page.startsWith('tenant-1/'))) {
    expect(blocksOf(ofOther).filter((block) => !block.includes('No fault of the chosen'))).toEqual([]);
  }
  for (const block of after) {
    const [, id = ''] = /^[✗!] alarm {2}.* {2}(\S+)\n/.exec(block) ?? [];
    const { isFound = id === '' }: { isFound?: boolean } = ROWS[id as keyof typeof ROWS] ?? {};
    expect(block).toMatch(
      isFound ? /The fault is over\.|No token is affected now\./ : /If the fault\s+is over,/,
    );
  }
  expect(blocksOf(quiet).filter((block) => !OF_THE_PAST.test(block))).toEqual([]);
  expect(quiet).not.toContain('in alarm');
});

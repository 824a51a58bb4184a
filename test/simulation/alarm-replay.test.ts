import { NOTIFYING_ALARMS, TENANT_ALARMS } from '../../core/alarms/alarm-rows';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../core/secrets/secret-names';
import { type AlarmReadings as Readings } from 'cdk-on-loopback/testing';
import { DOWN } from '../support/platform/credential-platform';
import {
  type FaultReplay,
  HOUR_MS,
  MINUTE_MS,
  replayFault,
  type Scene,
  startScene,
} from './support/replay/fault-replay';
import { Operator } from './support/replay/operator';
import { FAULTS } from './support/replay/faults';
import { Replay, replayedTemplates } from './support/replay/replay';
import { answerOf, lackingOperation, withoutRestore } from '../support/lambdas/restore-functions';
import { type Configured } from '../support/live/configured';
import { IS_FULL } from '../support/test-size';

const DAY_MS = 24 * HOUR_MS;
jest.setTimeout(8 * 60_000);
/** A command, or a page of the runbook. */
const ADVICE = /`latchkey [^`]+`|docs\/runbook\/[a-z-]+\.md/;

let two: Configured;
let some: Configured;
beforeAll(() => {
  two = replayedTemplates(2);
  some = replayedTemplates(IS_FULL ? 20 : 4);
});

const alarmsOf = (pages: ReturnType<Replay['pages']>) => pages.map(({ alarm }) => alarm);

/** Expects these notifications, and each to be over by now. */
function expectNotified(replay: Replay, alarms: readonly string[]): void {
  expect(alarmsOf(replay.pages())).toEqual(alarms);
  expect(alarmsOf(replay.allClears()).sort()).toEqual([...alarms].sort());
  expect(replay.ringing()).toEqual([]);
}

/** Where AWS's pages can be read in two ways, the alarms must be right in both. */
const READINGS: readonly Partial<Readings>[] = [
  {},
  { evaluationRange: 'window', filledMetrics: 'with-gaps' },
  { filledMetrics: 'with-gaps' },
];

/**
 * All replays in each reading in `npm run test:full`; otherwise the first of each distinct result per row, in turn. Also with
 * `trailEvents` while every event is lost: then the functions learn of changes only by their own looks.
 */
function replayed(): [string, FaultReplay, Partial<Readings>, isWithoutEvents: boolean][] {
  const kinds = new Map<string, FaultReplay>();
  for (const fault of FAULTS) {
    const kind = IS_FULL ? `${fault.id} ${fault.fault}` : `${fault.id} ${fault.pages.join()}`;
    if (!kinds.has(kind)) kinds.set(kind, fault);
  }
  return [...kinds.values()].flatMap((fault, index) => {
    const result = fault.pages.length === 0 ? 'notifies nobody' : `notifies ${fault.pages.join()}`;
    const readings = IS_FULL ? READINGS : [READINGS[index % READINGS.length]!];
    const losses = IS_FULL ? [false, true] : [index % 2 === 1];
    return readings.flatMap((reading) =>
      losses.map((isWithoutEvents): ReturnType<typeof replayed>[number] => [
        `${fault.id}: ${fault.fault}, ${result} ${Object.values(reading).join()}${isWithoutEvents ? ', events lost' : ''}`,
        fault,
        reading,
        isWithoutEvents,
      ]),
    );
  });
}

test('every row of the fault matrix has a replay', () => {
  const rows = new Set(replayed().map(([, { id }]) => id));

  expect([...rows].sort()).toEqual(Array.from({ length: 37 }, (_, index) => `F${index + 1}`).sort());
});

test.each(replayed())('%s', async (_, fault, readings, isWithoutEvents) => {
  const [deployment] = two.deployments;
  const deployments = [{ ...deployment!, ...(isWithoutEvents && { trailEvents: true as const }) }];
  const replay = await replayFault(fault, { ...two, deployments }, readings);

  expectNotified(replay, fault.pages);
  expect(replay.alarmed()).toEqual(expect.arrayContaining([...(fault.inAlarm ?? [])]));
  for (const { description } of replay.pages()) expect(description).toMatch(ADVICE);
});

test('days without a fault put no alarm on', async () => {
  const { replay } = await startScene(some);

  await replay.time.advance((IS_FULL ? 7 : 1) * DAY_MS);

  expect(replay.alarmed()).toEqual([]);
  // CloudWatch says OK once for each new alarm. Nobody gets an e-mail about it.
  const tenantAlarms = TENANT_ALARMS.length * some.deployments[0]!.tenants.length;
  expect(replay.publishedOks()).toHaveLength(NOTIFYING_ALARMS.length + tenantAlarms);
  expect(replay.allClears()).toEqual([]);
});

test('every command in an alarm’s description runs as printed', async () => {
  const { replay, operator } = await startScene(two);
  await replay.time.advance(10 * MINUTE_MS);
  const descriptions = replay.alarmStates().map(({ AlarmDescription }) => AlarmDescription!);
  const commands = descriptions.flatMap((text) =>
    [...text.matchAll(/`(latchkey [^`]+)`/g)].map(([, each]) => each!),
  );

  expect(commands.length).toBeGreaterThan(descriptions.length / 2);
  for (const command of new Set(commands))
    expect([command, (await operator.type(command)).end]).toEqual([command, 'done']);
});

describe('a deployment with many tenants', () => {
  async function outage({ replay }: Scene): Promise<void> {
    replay.platform.setTrouble(DOWN);
    await replay.time.advance(90 * MINUTE_MS);
    replay.platform.setTrouble(undefined);
    await replay.time.advance(3 * HOUR_MS);
  }

  test('notifies once of an outage that affects all tenants', async () => {
    const scene = await startScene(IS_FULL ? replayedTemplates(100) : some);
    await scene.replay.time.advance(30 * MINUTE_MS);

    await outage(scene);

    expectNotified(scene.replay, ['tokens']);
  });

  test('notifies of each tenant whose credential is revoked, even if other alarms are on', async () => {
    const scene = await startScene(some);
    const { replay, operator } = scene;
    const revoke = async (tenantId: string) => {
      replay.platform.revokeAll(tenantId);
      await replay.time.advance(2 * HOUR_MS);
    };

    await revoke('tenant-1');
    await revoke('tenant-2');
    await outage(scene);
    await revoke('tenant-3');
    for (const tenantId of ['tenant-1', 'tenant-2', 'tenant-3']) {
      for (const kind of CREDENTIAL_KINDS) await operator.put(tenantId, kind);
    }
    await replay.time.advance(3 * HOUR_MS);

    expectNotified(replay, [
      'tenant-1/credential-refused',
      'tenant-2/credential-refused',
      'tokens',
      'tenant-3/credential-refused',
    ]);
  });
});

test.each(READINGS)(
  'a fault that comes and goes every six minutes notifies once, and once that it is over %j',
  async (readings) => {
    const { replay } = await startScene(two, undefined, readings);
    const works = replay.platform.content.always;
    await replay.time.advance(30 * MINUTE_MS);

    for (let times = 0; times < 10; times += 1) {
      replay.platform.content.always = () => answerOf(500);
      await replay.time.advance(6 * MINUTE_MS);
      replay.platform.content.always = works;
      await replay.time.advance(6 * MINUTE_MS);
    }
    expect(replay.allClears()).toEqual([]);
    await replay.time.advance(2 * HOUR_MS);

    expectNotified(replay, ['restore']);
  },
);

test.each([
  ['token-sweep-arn', 'extended', 14, 5, 'tokens'],
  ['token-sweep-arn', 'window', 12, 5, 'tokens'],
  ['credential-watch-arn', 'extended', 14 * 60, 6 * 60, 'watch-silent'],
  ['credential-watch-arn', 'window', 12 * 60, 6 * 60, 'watch-silent'],
] as const)(
  'silence of %s notifies, in the evaluation range %s, in the %i minutes that the alarms’ page states, and is over with the next run',
  async (leaf, evaluationRange, withinMin, intervalMin, alarm) => {
    const replay = await Replay.start(two, { evaluationRange });
    await replay.time.advance(2 * intervalMin * MINUTE_MS);

    replay.functions.kills.set(replay.arnOf(leaf), Infinity);
    await replay.time.advance((withinMin - 1) * MINUTE_MS);
    expect(replay.ringing()).toEqual([]);
    await replay.time.advance(2 * MINUTE_MS);
    expect(alarmsOf(replay.pages())).toEqual([alarm]);
    replay.functions.kills.delete(replay.arnOf(leaf));
    await replay.time.advance((intervalMin + 60) * MINUTE_MS);

    expect(alarmsOf(replay.allClears())).toEqual([alarm]);
  },
);

test.each([
  ['with the first restore', 9 * HOUR_MS, 20 * MINUTE_MS, startScene],
  ['by credential-watch, without any restore', 7 * HOUR_MS, 7 * HOUR_MS, startWithoutRestores],
] as const)(
  'a platform without restore notifies once, and its return is noticed %s',
  async (_, untilNoticedMs, untilOverMs, start) => {
    const { replay } = await start(two);
    const { content } = replay.platform;
    const { always, probed } = content;

    Object.assign(content, { always: () => lackingOperation('/restore'), probed: withoutRestore });
    await replay.time.advance(untilNoticedMs);
    expect(replay.ringing()).toEqual(['restore-availability']);
    Object.assign(content, { always, probed });
    await replay.time.advance(untilOverMs);

    expectNotified(replay, ['restore-availability']);
  },
);

async function startWithoutRestores(templates: Configured): Promise<Scene> {
  const replay = await Replay.start(templates);
  const operator = new Operator(replay);
  for (const { tenantId } of templates.deployments[0]!.tenants)
    operator.paste(tenantId, 'client-credentials');
  return { replay, operator };
}

describe('credentials that were never loaded put no alarm on', () => {
  test.each<[string, (tenantId: string, kind: CredentialKind) => boolean]>([
    ['a tenant', (tenantId) => tenantId !== 'tenant-2'],
    ['an API key', (_, kind) => kind !== 'api-key'],
    ['anything', () => false],
  ])('for %s, even while the store is down', async (_, isLoaded) => {
    const { replay } = await startScene(two, isLoaded);
    await replay.time.advance(HOUR_MS);
    replay.storeTrouble = ({ operation }) =>
      operation.startsWith('Put') ? undefined : 'ThrottlingException';
    await replay.time.advance(8 * MINUTE_MS);
    replay.storeTrouble = () => undefined;

    await replay.time.advance(6 * HOUR_MS);

    expect(replay.alarmed()).toEqual([]);
  });

  test('for a credential whose scheduled rotation starts', async () => {
    const credentials = { rotationSchedule: 'cron(0 14 * * ? *)' };
    const { replay } = await startScene(replayedTemplates(2, { credentials }), () => false);

    await replay.time.advance(7 * HOUR_MS);

    expect(replay.alarmed()).toEqual([]);
  });
});

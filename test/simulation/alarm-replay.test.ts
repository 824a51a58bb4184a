import { CREDENTIAL_KINDS, type CredentialKind } from '../../core/secrets/secret-names';
import { answerOf, lackingOperation, withoutRestore } from '../support/lambdas/restore-functions';
import { type Configured } from '../support/live/configured';
import { DOWN } from '../support/platform/credential-platform';
import { IS_FULL } from '../support/test-size';
import { alarmsOf, expectNotified, READINGS } from './support/replay/notifications';
import { HOUR_MS, MINUTE_MS, Replay, replayedTemplates } from './support/replay/replay';

const DAY_MS = 24 * HOUR_MS;
jest.setTimeout(8 * 60_000);

let two: Configured;
let some: Configured;
beforeAll(() => {
  two = replayedTemplates(2);
  some = replayedTemplates(IS_FULL ? 20 : 4);
});

test('days without a fault put no alarm on', async () => {
  const replay = await Replay.start(some);

  await replay.time.advance((IS_FULL ? 7 : 1) * DAY_MS);

  expect(replay.alarmed()).toEqual([]);
  // CloudWatch says OK once for each new alarm. Nobody gets an e-mail about it.
  expect(replay.allClears()).toEqual([]);
});

test('every command in an alarm’s description runs as printed', async () => {
  const replay = await Replay.start(two);
  await replay.time.advance(10 * MINUTE_MS);
  const descriptions = replay.alarmStates().map(({ AlarmDescription }) => AlarmDescription!);
  const commands = descriptions.flatMap((text) =>
    [...text.matchAll(/`(latchkey [^`]+)`/g)].map(([, each]) => each!),
  );

  expect(commands.length).toBeGreaterThan(descriptions.length / 2);
  for (const command of new Set(commands))
    expect([command, (await replay.operator.type(command)).end]).toEqual([command, 'done']);
});

describe('a deployment with many tenants', () => {
  async function outage(replay: Replay): Promise<void> {
    replay.platform.setTrouble(DOWN);
    await replay.time.advance(90 * MINUTE_MS);
    replay.platform.setTrouble(undefined);
    await replay.time.advance(3 * HOUR_MS);
  }

  test('notifies once of an outage that affects all tenants', async () => {
    const replay = await Replay.start(IS_FULL ? replayedTemplates(100) : some);
    await replay.time.advance(30 * MINUTE_MS);

    await outage(replay);

    expectNotified(replay, ['tokens']);
  });

  test('notifies of each tenant whose credential is revoked, even if other alarms are on', async () => {
    const replay = await Replay.start(some);
    const revoke = async (tenantId: string) => {
      replay.platform.revokeAll(tenantId);
      await replay.time.advance(2 * HOUR_MS);
    };

    await revoke('tenant-1');
    await revoke('tenant-2');
    await outage(replay);
    await revoke('tenant-3');
    for (const tenantId of ['tenant-1', 'tenant-2', 'tenant-3']) {
      for (const kind of CREDENTIAL_KINDS) await replay.operator.put(tenantId, kind);
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
    const replay = await Replay.start(two, { readings });
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
    const replay = await Replay.start(two, { readings: { evaluationRange }, isLoaded: () => false });
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

const WITHOUT_RESTORES = {
  isRestoring: false,
  isLoaded: (_: string, kind: CredentialKind) => kind === 'client-credentials',
};

test.each([
  ['with the first restore', 9 * HOUR_MS, 20 * MINUTE_MS, {}],
  ['by credential-watch, without any restore', 7 * HOUR_MS, 7 * HOUR_MS, WITHOUT_RESTORES],
] as const)(
  'a platform without restore notifies once, and its return is noticed %s',
  async (_, untilNoticedMs, untilOverMs, options) => {
    const replay = await Replay.start(two, options);
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

describe('credentials that were never loaded put no alarm on', () => {
  test.each<[string, (tenantId: string, kind: CredentialKind) => boolean]>([
    ['a tenant', (tenantId) => tenantId !== 'tenant-2'],
    ['an API key', (_, kind) => kind !== 'api-key'],
    ['anything', () => false],
  ])('for %s, even while the store is down', async (_, isLoaded) => {
    const replay = await Replay.start(two, { isLoaded });
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
    const replay = await Replay.start(replayedTemplates(2, { credentials }), { isLoaded: () => false });

    await replay.time.advance(7 * HOUR_MS);

    expect(replay.alarmed()).toEqual([]);
  });
});

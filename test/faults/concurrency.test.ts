import { type AccessToken, type TokenSourceOptions } from '../../client';
import { systemClock } from '../../client/clock';
import { type TokenValue } from '../../core/secrets/secret-values';
import { isDue } from '../../core/tokens/token-lifetime';
import { LocalAws } from 'cdk-on-loopback/testing/local-aws';
import { findCanaries } from '../support/canaries';
import { type HeldCall, pass } from './support/aws-gate';
import { CallerProcess } from './support/caller-process';
import { assertCommonSet } from './support/common-set';
import { FunctionProcess } from './support/function-process';
import { deployFunction } from './support/invoked-function';
import { withWireWorld, type WireWorld } from './support/wire-world';
import { SITUATIONS } from './support/world';

const PROCESSES = 4;
const MINUTE_MS = 60_000;
const [EMPTY, ENDING, OLD] = SITUATIONS;

// Much longer than any test needs, for busy machines.
jest.setTimeout(30_000);

/**
 * Where the process is killed: before AWS or the platform acts on a call, or after, but before
 * the answer.
 */
const CALLS = [
  { operation: 'GetSecretValue', of: '/token/', isDone: false },
  { operation: 'GetSecretValue', of: '/token/', isDone: true },
  { operation: 'GetSecretValue', of: '/client-credentials', isDone: true },
  { operation: 'the token request', of: '', isDone: true },
  { operation: 'PutSecretValue', of: '/token/', isDone: false },
  { operation: 'PutSecretValue', of: '/token/', isDone: true },
];

test.each([
  ['one at a time', EMPTY, 100],
  ['without a cap', EMPTY, 100],
  ['one at a time', ENDING, 5],
  ['without a cap', ENDING, 5],
] as const)(
  'F20: callers in four processes find no usable token at once, of a function that runs %s',
  (deployed, situation, callers) =>
    withWireWorld(situation, async (world) => {
      const isCapped = deployed === 'one at a time';
      const tokenRefresh = deployFunction(world, isCapped ? 1 : undefined);
      await expectOneRenewal(world, callers, isCapped, { tokenRefresh });
    }),
);

test.each([
  ['sweep', EMPTY],
  ['ensure', OLD],
] as const)(
  'F22: the process is killed at any call of a renewal, and the next run is %s',
  (next, situation) => withWireWorld(situation, (world) => killAtEveryCall(world, next)),
);

test('F33: the replica of a token secret still shows the previous version', () =>
  withWireWorld(OLD, async (world) => {
    await world.invoke('ensure');
    const region = new LocalAws();
    await region.start();
    try {
      const replica = region.addSecret(world.tokenSecret.name);
      const earlier = world.before.at(-1)!;
      world.putByHand(replica, earlier.versionId, earlier.secretString);
      const clock = { ...systemClock, nowMs: () => region.clock.nowMs() };
      const reader = () => new CallerProcess(world, { secretsManager: region.secretsManager(), clock });

      expect(await reader().ask()).toHaveProperty('expiresAt', expiryOf(earlier));
      region.clock.advanceMs(10 * MINUTE_MS);
      const late = reader();
      expect(await late.ask()).toMatchObject({ code: 'no_usable_token' });
      const { versionId, secretString } = world.versions().at(-1)!;
      world.putByHand(replica, versionId, secretString);
      region.clock.advanceMs(MINUTE_MS);
      expect(await late.ask()).toHaveProperty('expiresAt', expiryOf({ secretString }));
      late.expectNothingSpilled();
      assertCommonSet(world, {});
    } finally {
      await region.stop();
    }
  }));

async function expectOneRenewal(
  world: WireWorld,
  callers: number,
  isCapped: boolean,
  options: TokenSourceOptions,
): Promise<void> {
  const all = Array.from({ length: PROCESSES }, () => new CallerProcess(world, options));

  const tokens = await Promise.all(
    Array.from({ length: callers }, (_, number) => all[number % PROCESSES]!.ask()),
  );

  expect(tokens.filter((token) => token instanceof Error)).toEqual([]);
  const { accessToken } = tokens[0] as AccessToken;
  expect(tokens.filter((token) => (token as AccessToken).accessToken !== accessToken)).toEqual([]);
  expect(world.versions()).toHaveLength(world.before.length + 1);
  expect(world.versions().at(-1)!.secretString).toContain(JSON.stringify(accessToken));
  expect(world.platform.requests.length).toBeLessThanOrEqual(isCapped ? 1 : Math.min(PROCESSES, callers));
  expect(world.metrics().TokenRenewed).toBe(1);
  for (const caller of all) caller.expectNothingSpilled();
  assertCommonSet(world, isCapped ? {} : undefined);
}

/** Expects the next run to find or store a fresh token, with exactly one written in total. */
async function expectRecovered(world: WireWorld, next: 'ensure' | 'sweep'): Promise<void> {
  world.startNewProcess();

  const { answer } = await world.invoke(next);

  expect(answer).toMatchObject({ ok: true });
  expect(world.versions()).toHaveLength(world.before.length + 1);
  const stored = JSON.parse(world.versions().at(-1)!.secretString) as TokenValue;
  expect(
    isDue(
      world.key,
      { issuedAtMs: Date.parse(stored.issuedAt), expiresAtMs: Date.parse(stored.expiresAt) },
      world.nowMs(),
    ),
  ).toBe(false);
  assertCommonSet(world);
}

async function killAtEveryCall(world: WireWorld, next: 'ensure' | 'sweep'): Promise<void> {
  for (const call of CALLS) {
    putBack(world);
    const killed = await FunctionProcess.start(world);
    const held = await new Promise<HeldCall | undefined>((reached) => {
      hold(world, call, reached);
      killed.begin();
    });
    await killed.kill();
    world.gate.reset();
    assertCommonSet(world);

    await expectRecovered(world, next);

    const shown = killed.lines.map((text) => ({ place: 'the killed process', text }));
    expect(findCanaries(world.platform.canaries, shown)).toEqual([]);
    if (call.operation === 'PutSecretValue' && !call.isDone) await expectRefusedLate(world, held!);
  }
}

/** Holds a call, before or after it was executed, and never answers it. */
function hold(
  { gate, platform }: WireWorld,
  { operation, of, isDone }: (typeof CALLS)[number],
  reached: (held: HeldCall | undefined) => void,
): void {
  if (operation === 'the token request') {
    platform.script.push((issue) => {
      issue();
      reached(undefined);
      return { kind: 'silence', after: 'request' };
    });
  }
  gate.intercept = async (call, held) => {
    if (call.operation !== operation || !call.secretId?.includes(of)) return pass(call, held);
    if (isDone) await held.forward();
    reached(held);
  };
}

/** A write in flight when its process was killed arrives after the next run has written. */
async function expectRefusedLate(world: WireWorld, late: HeldCall): Promise<void> {
  const versionsAfterRecovery = world.versions();
  const { status } = await late.forward();
  expect(status).toBe(400);
  expect(world.versions()).toEqual(versionsAfterRecovery);
}

/** Restores the token secret as it was when the row began. */
function putBack({ tokenSecret, before }: WireWorld): void {
  tokenSecret.versions.clear();
  for (const { versionId, stages, secretString, writtenAtMs } of before) {
    const version = { versionId, secretString, createdAtMs: writtenAtMs, stages: new Set(stages) };
    tokenSecret.versions.set(versionId, version);
  }
}

function expiryOf({ secretString }: { secretString: string }): string {
  return (JSON.parse(secretString) as AccessToken).expiresAt;
}

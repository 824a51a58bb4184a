import { isDue } from '../../../core/tokens/token-lifetime';
import { type TokenValue } from '../../../core/secrets/secret-values';
import { findCanaries } from '../../support/canaries';
import { type HeldCall, pass } from '../support/aws-gate';
import { assertCommonSet } from '../support/common-set';
import { type Draw } from '../support/draw';
import { faultRow } from '../support/fault-row';
import { FunctionProcess } from '../support/function-process';
import { KillPoints } from '../support/kill-points';
import { oauthError } from '../support/platform-double';
import { VirtualWorld } from '../support/virtual-world';
import { withWireWorld, type WireWorld } from '../support/wire-world';
import { drawSituation, type Situation, type World } from '../support/world';

/**
 * Where the process is killed over the wire: before AWS or the platform acts on a call, or after, but before
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

interface Variant extends Situation {
  /** The invocation that recovers after the killed one. */
  next: 'ensure' | 'sweep';
  /** Whether the platform fails once, so that the process can be killed while it waits to retry. */
  failsFirst: boolean;
}

/** F22: Lambda ends the process, or its host fails. */
export const KILLED_PROCESSES = faultRow<Variant>({
  id: 'F22',
  fault: 'the process is killed at any point of a renewal',
  variant: (draw) => ({
    ...drawSituation(draw),
    next: draw.oneOf(['sweep', 'ensure']),
    failsFirst: draw.oneOf([true, false]),
  }),
  virtual: (variant, draw) => killAtEveryPoint(variant, draw),
  wire: (variant) => withWireWorld(variant, (world) => killAtEveryCall(world, variant)),
});

async function killAtEveryPoint(variant: Variant, draw: Draw): Promise<void> {
  const arrange = () => arrangeOutage(variant, draw);
  const whole = new KillPoints();
  await invokeWatched(arrange(), whole);
  expect(whole.passed).toBeGreaterThanOrEqual(8);

  for (let moment = 1; moment <= whole.passed; moment += 1) {
    const world = arrange();
    const points = new KillPoints(moment);
    await Promise.race([invokeWatched(world, points), points.killed]);
    assertCommonSet(world);
    world.between = (ports) => ports;
    await expectRecovered(world, variant);
  }
}

function arrangeOutage(variant: Variant, draw: Draw): VirtualWorld {
  const world = new VirtualWorld(variant, draw);
  if (variant.failsFirst) world.platform.script.push(() => oauthError(503));
  return world;
}

/** Invokes the function with every outgoing call as a kill point. */
async function invokeWatched(world: VirtualWorld, points: KillPoints): Promise<void> {
  world.between = (ports) => ({
    ...ports,
    tokens: points.watch(ports.tokens, 'read', 'compareAndSet'),
    credentials: points.watch(ports.credentials, 'read', 'currentVersionId'),
    issuer: points.watch(ports.issuer, 'requestToken'),
    clock: points.watch(ports.clock, 'sleep'),
  });
  await world.invoke();
}

/** Expects the next run to find or store a fresh token, with exactly one written in total. */
async function expectRecovered(world: World & { startNewProcess(): void }, { next }: Variant): Promise<void> {
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

async function killAtEveryCall(world: WireWorld, variant: Variant): Promise<void> {
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

    await expectRecovered(world, variant);

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

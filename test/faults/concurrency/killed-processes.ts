import { isDue } from '../../../core/tokens/token-lifetime';
import { type TokenValue } from '../../../core/secrets/secret-values';
import { findCanaries } from '../../support/canaries';
import { type HeldCall, pass } from '../support/aws-gate';
import { assertCommonSet } from '../support/common-set';
import { faultRow } from '../support/fault-row';
import { FunctionProcess } from '../support/function-process';
import { withWireWorld, type WireWorld } from '../support/wire-world';
import { drawSituation, type Situation } from '../support/world';

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

interface Variant extends Situation {
  /** The invocation that recovers after the killed one. */
  next: 'ensure' | 'sweep';
}

/** F22: Lambda ends the process, or its host fails. */
export const KILLED_PROCESSES = faultRow<Variant>({
  id: 'F22',
  fault: 'the process is killed at any call of a renewal',
  variant: (draw) => ({
    ...drawSituation(draw),
    next: draw.oneOf(['sweep', 'ensure']),
  }),
  run: (variant) => withWireWorld(variant, (world) => killAtEveryCall(world, variant)),
});

/** Expects the next run to find or store a fresh token, with exactly one written in total. */
async function expectRecovered(world: WireWorld, { next }: Variant): Promise<void> {
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

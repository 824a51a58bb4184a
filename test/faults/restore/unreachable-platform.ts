import { NO_CONNECTION, type PlatformFault } from './platform-fault';
import { expectTold, type RestoreWorld } from './restore-world';
import { alterResults, restoreRow } from './virtual-restore';
import { WireRestoreWorld } from './wire-restore';

const FAULTS: readonly PlatformFault[] = [
  ...NO_CONNECTION.map((why): PlatformFault => ({ kind: 'no connection', why })),
  // The platform's own 502, which promises that the content was not modified.
  ...(['none', 'HTML', 'problem'] as const).map((body): PlatformFault => ({
    kind: 'answer',
    status: 502,
    body,
  })),
];

/** F28 */
export const UNREACHABLE = restoreRow({
  id: 'F28',
  fault: 'a restore request cannot be sent, or the platform answers 502',
  variant: (draw) => ({ first: draw.oneOf(FAULTS) }),
  virtual: (world, { first }) => expectNotModified(world, first),
  async wire({ first }) {
    for (const fault of [first, ...FAULTS.filter((other) => other !== first)]) {
      const world = await WireRestoreWorld.start();
      await expectNotModified(world, fault);
    }
    await expectIdleConnectionReplaced();
  },
  hole: {
    words: 'a request that was never sent counts as one without an answer',
    with: { first: { kind: 'no connection', why: 'refused' } },
    open({ fn }) {
      alterResults(fn, (result) => (result.kind === 'not_sent' ? { ...result, kind: 'no_answer' } : result));
    },
  },
});

/** 502, no second request, and an unmodified content that a later call restores. */
async function expectNotModified(world: RestoreWorld, fault: PlatformFault): Promise<void> {
  const isAnswered = fault.kind === 'answer';
  world.meet(fault);

  const told = await world.restore();

  const code = isAnswered ? 'platform_failed' : 'platform_unreachable';
  const posts = isAnswered ? 1 : 0;
  await expectTold(world, told, { status: 502, code, posts, restored: 0 });
  if (world instanceof WireRestoreWorld && !isAnswered) expect(world.gate.receivedBytes).toBe(0);
  const later = await world.restore();
  expect([later.status, world.posts(), await world.timesRestored()]).toEqual([200, posts + 1, 1]);
}

/** A connection that the platform closed while idle is not a fault: the client opens another one. */
async function expectIdleConnectionReplaced(): Promise<void> {
  const world = await WireRestoreWorld.start({ isKept: true });
  world.gate.cutConnections();

  const told = await world.restore();

  await expectTold(world, told, { status: 200, posts: 1, restored: 1 });
}

import { assertCommonSet } from '../support/common-set';
import { tokenRow } from '../support/token-row';
import { type VirtualWorld } from '../support/virtual-world';
import { type WireWorld } from '../support/wire-world';
import { drawSituation, type Situation } from '../support/world';

const MINUTE_MS = 60_000;

interface Variant extends Situation {
  again: 'at once' | 'right after' | 'after 4 minutes';
  by: 'the same process' | 'another process';
}

/** F21: Scheduler and asynchronous invocations deliver events at least once, and late. */
export const REPEATED_EVENTS = tokenRow<Variant>({
  id: 'F21',
  fault: 'an event arrives twice or late',
  variant: (draw, where) => ({
    ...drawSituation(draw),
    by: draw.oneOf(['the same process', 'another process']),
    again: draw.oneOf(
      where === 'wire' ? ['at once', 'right after'] : ['at once', 'right after', 'after 4 minutes'],
    ),
  }),
  virtual: (world, variant) => expectOneRenewal(world, variant, () => world.clock.advance(4 * MINUTE_MS)),
  wire: (world, variant) => expectOneRenewal(world, variant, () => undefined),
});

async function expectOneRenewal(
  world: VirtualWorld | WireWorld,
  { again, by }: Variant,
  wait: () => void,
): Promise<void> {
  const first = world.invoke();
  if (again !== 'at once') await first;
  if (again === 'after 4 minutes') wait();
  if (by === 'another process') world.startNewProcess();
  const second = world.invoke();
  const answers = (await Promise.all([first, second])).map(({ answer }) => answer);

  // Two parallel renewals may both ask the platform, but only one token is stored.
  expect(world.platform.requests.length).toBeLessThanOrEqual(again === 'at once' ? 2 : 1);
  expect(world.versions()).toHaveLength(world.before.length + 1);
  expect(world.metrics().TokenRenewed).toBe(1);
  expect(answers).toEqual([expect.objectContaining({ ok: true }), expect.objectContaining({ ok: true })]);
  assertCommonSet(world, again === 'at once' ? undefined : {});
}

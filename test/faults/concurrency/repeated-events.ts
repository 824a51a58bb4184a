import { assertCommonSet } from '../support/common-set';
import { tokenRow } from '../support/token-row';
import { type WireWorld } from '../support/wire-world';
import { drawSituation, type Situation } from '../support/world';

interface Variant extends Situation {
  again: 'at once' | 'right after';
  by: 'the same process' | 'another process';
}

/** F21: Scheduler and asynchronous invocations deliver events at least once, and late. */
export const REPEATED_EVENTS = tokenRow<Variant>({
  id: 'F21',
  fault: 'an event arrives twice or late',
  variant: (draw) => ({
    ...drawSituation(draw),
    by: draw.oneOf(['the same process', 'another process']),
    again: draw.oneOf(['at once', 'right after']),
  }),
  run: expectOneRenewal,
});

async function expectOneRenewal(world: WireWorld, { again, by }: Variant): Promise<void> {
  const first = world.invoke();
  if (again !== 'at once') await first;
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

import { KillPoints } from '../faults/support/kill-points';
import { MINUTE_MS } from '../support/lambdas/token-functions';
import { KILL_SCENARIOS, type KillScenario } from './support/kill-scenarios';
import { type Errand, KillWorld } from './support/kill-world';
import { printFigures } from './support/run-size';

/** Runs an errand until its end or its kill. */
async function run(world: KillWorld, errand: Errand, points: KillPoints): Promise<'ended' | 'killed'> {
  const outside = world.outside();
  const watched = {
    ...points.watch(outside, 'send', 'sendRequest'),
    ...{ clock: points.watch(outside.clock, 'sleep') },
  };
  return Promise.race([
    errand(watched).then(() => 'ended' as const),
    points.killed.then(() => 'killed' as const),
  ]);
}

async function arranged({ arrange }: KillScenario): Promise<{ world: KillWorld; errand: Errand }> {
  const world = await KillWorld.create();
  return { world, errand: await arrange(world) };
}

describe.each(KILL_SCENARIOS)('a process that is killed: $name', (scenario) => {
  test('leaves a whole state at every point, and the next one mends it with one more request at most', async () => {
    // Arrange: an undisturbed process tells how many points there are.
    const undisturbed = await arranged(scenario);
    const counted = new KillPoints();
    await run(undisturbed.world, undisturbed.errand, counted);
    const { calls, failedCalls, platform } = undisturbed.world;
    expect(calls).toEqual(scenario.calls);
    // Before and after each call. A failed one has no point of its own behind it: that before the next call is the same.
    expect(counted.passed).toBe(2 * calls.length - failedCalls);
    const grants = platform.grants.size;

    let swept = 0;
    for (let point = 1; point <= counted.passed; point += 1) {
      const { world, errand } = await arranged(scenario);
      const points = new KillPoints(point);

      // Act
      const end = await run(world, errand, points);

      // Assert
      expect(end).toBe('killed');
      world.expectNoHalfState();
      world.clock.advance(5 * MINUTE_MS);
      await errand(world.outside());
      world.expectNoHalfState();
      expect(world.current).toBeDefined();
      expect(world.versionCount).toBe(scenario.versions);
      expect(world.platform.grants.size).toBeLessThanOrEqual(grants + 1);
      swept += 1;
    }

    expect(swept).toBe(counted.passed);
    printFigures(
      `kill points, ${scenario.name}: ${swept} of ${counted.passed}, ${scenario.calls.length} calls`,
    );
  });
});

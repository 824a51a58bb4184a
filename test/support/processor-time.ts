const TRIES = 5;

/**
 * Expects a function to take less than this CPU time in at least one of several attempts, since garbage
 * collection and compilation only add to it.
 */
export async function expectProcessorMsBelow(limitMs: number, run: () => unknown): Promise<void> {
  let leastMs = Infinity;
  for (let tries = 0; tries < TRIES && leastMs >= limitMs; tries += 1) {
    const started = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(started);
    leastMs = Math.min(leastMs, (user + system) / 1000);
  }
  expect(leastMs).toBeLessThan(limitMs);
}

import { type Scheduler } from 'fast-check';

const VOID = Promise.resolve();
/** More ticks than a worker needs between two calls. */
const MAX_TICKS = 1_000;

/**
 * Runs workers to their ends, one call at a time, in the order that the scheduler draws. It draws the next
 * call once all workers wait, so all orders are equally likely. (The scheduler's `waitFor` allows 50 ticks
 * between calls, which is much slower.)
 * @param workers each calls `turn` before it touches shared state, and waits for nothing else
 * @throws {Error} the error of a worker, or if a worker waits for something else
 */
export async function takeTurns<Result>(
  scheduler: Scheduler,
  workers: readonly ((turn: () => Promise<void>) => Promise<Result>)[],
): Promise<Result[]> {
  let running = workers.length;
  const turn = () => scheduler.schedule(VOID);
  const ended = Promise.allSettled(workers.map((work) => work(turn).finally(() => (running -= 1))));
  while (running > 0) {
    for (let tick = 0; running > 0 && scheduler.count() < running; tick += 1) {
      if (tick === MAX_TICKS) throw new Error('a worker waits for something else than its turn');
      await VOID;
    }
    if (running > 0) await scheduler.waitOne();
  }
  return (await ended).map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

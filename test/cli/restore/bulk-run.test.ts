import { BulkRun } from '../../../cli/restore/bulk-run';
import { CommandError } from '../../../cli/command-error';

const ITEMS = Array.from({ length: 8 }, (_, n) => ({ contentId: `id-${n}`, actingUser: {} }));

/** A run whose first request is throttled. @param tickMs how much time passes with each look at the clock */
function throttledOnce(tickMs = 0) {
  const seen = { shown: [] as (number | undefined)[], slept: [] as number[], requests: 0 };
  let nowMs = 0;
  const run = new BulkRun({
    client: {
      authorize: async () => ({}),
      renew: async () => undefined,
      post: async ({ contentId: id }) => {
        seen.requests += 1;
        return seen.requests === 1
          ? { outcome: 'too_many_requests', detail: 'why', retryAfterMs: 2_500 }
          : { outcome: 'restored', status: 200, record: { id, status: 'published', items: [] } };
      },
    },
    results: { begin: () => undefined, record: () => undefined },
    progress: { recorded: () => undefined, waiting: (wait) => seen.shown.push(wait?.waitMs) },
    nowMs: () => (nowMs += tickMs),
    sleep: async (ms) => {
      seen.slept.push(ms);
      // Lets all other requests get as far as they can.
      await new Promise(setImmediate);
      nowMs += ms;
    },
    interrupted: new AbortController().signal,
    stopFor: ({ outcome }) => new CommandError(1, outcome, outcome),
  });
  return { run, seen };
}

describe('a bulk restore that has to wait', () => {
  it('waits once for all requests, and shows it each second', async () => {
    const { run, seen } = throttledOnce();

    await run.run(ITEMS, 2);

    expect(seen.slept).toEqual([1_000, 1_000, 500]);
    expect(seen.shown).toEqual([2_500, 1_500, 500, undefined]);
  });

  it.each([400, 500, 600, 700, 900, 1_300])(
    'goes on wherever the wait ends, with ticks of %s ms',
    async (tickMs) => {
      const { run, seen } = throttledOnce(tickMs);

      await run.run(ITEMS, 2);

      expect(seen.requests).toBe(ITEMS.length + 1);
    },
  );
});

import { BulkRun } from '../../../cli/restore/bulk-run';
import { CommandError } from '../../../cli/command-error';

describe('a bulk restore that has to wait', () => {
  it('waits once for all requests, and shows it each second', async () => {
    const items = Array.from({ length: 8 }, (_, n) => ({ contentId: `id-${n}`, actingUser: {} }));
    const shown: (number | undefined)[] = [];
    const slept: number[] = [];
    let nowMs = 0;
    let isFirst = true;
    const run = new BulkRun({
      client: {
        authorize: async () => ({}),
        renew: async () => undefined,
        post: async ({ contentId: id }) => {
          const isThrottled = isFirst;
          isFirst = false;
          if (isThrottled) return { outcome: 'too_many_requests', detail: 'why', retryAfterMs: 2_500 };
          return { outcome: 'restored', status: 200, record: { id, status: 'published', items: [] } };
        },
      },
      results: { begin: () => undefined, record: () => undefined },
      progress: { recorded: () => undefined, waiting: (wait) => shown.push(wait?.waitMs) },
      nowMs: () => nowMs,
      sleep: async (ms) => {
        slept.push(ms);
        // Lets all other requests get as far as they can.
        await new Promise(setImmediate);
        nowMs += ms;
      },
      interrupted: new AbortController().signal,
      stopFor: ({ outcome }) => new CommandError(1, outcome, outcome),
    });

    await run.run(items, 2);

    expect(slept).toEqual([1_000, 1_000, 500]);
    expect(shown).toEqual([2_500, 1_500, 500, undefined]);
  });
});

import { BulkRun } from '../../../cli/restore/bulk-run';
import { CommandError } from '../../../cli/command-error';

describe('a bulk restore that has to wait', () => {
  it('waits once for all requests, and reports it each second', async () => {
    const items = Array.from({ length: 8 }, (_, n) => ({ contentId: `id-${n}`, actingUser: {} }));
    let waitMs = 2_500;
    const told: (number | undefined)[] = [];
    const slept: number[] = [];
    const run = new BulkRun(
      {
        client: {
          authorize: async () => ({}),
          renew: async () => undefined,
          post: async ({ contentId: id }) => ({
            outcome: 'restored',
            status: 200,
            record: { id, status: 'published', items: [] },
          }),
        },
        results: {
          begin: async () => undefined,
          settle: async () => undefined,
          record: async () => undefined,
        },
        pace: {
          get waitMs() {
            return waitMs;
          },
          accepted: () => undefined,
          slowDown: () => true,
        },
        nowMs: () => 0,
        sleep: async (ms) => {
          slept.push(ms);
          // Lets all other requests get as far as they can.
          await new Promise(setImmediate);
          waitMs -= ms;
        },
        random: () => 0,
        interrupted: new AbortController().signal,
        onRecorded: () => undefined,
        onWaiting: (wait) => told.push(wait?.waitMs),
        stopFor: ({ outcome }) => new CommandError(1, outcome, outcome),
      },
      items,
    );

    await run.run(8);

    expect(slept).toEqual([1_000, 1_000, 500]);
    expect(told).toEqual([2_500, 1_500, 500, undefined]);
  });
});

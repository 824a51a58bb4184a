import { BulkRun } from '../../../cli/restore/bulk-run';
import { CommandError } from '../../../cli/command-error';
import { type RestoreAnswer } from '../../../cli/restore/answer';

const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ contentId: `id-${n}`, actingUser: {} }));
const throttled = (retryAfterMs?: number): RestoreAnswer => ({
  outcome: 'too_many_requests',
  detail: 'why',
  retryAfterMs,
});

/** A run whose first requests get the given answers; the others restore. */
function runWith(...answers: (RestoreAnswer | undefined)[]) {
  const seen = { shown: [] as (number | undefined)[], slept: [] as number[], requests: 0 };
  const run = new BulkRun({
    client: {
      authorize: async () => ({}),
      renew: async () => undefined,
      post: async ({ contentId: id }) =>
        answers[seen.requests++] ?? {
          outcome: 'restored',
          status: 200,
          record: { id, status: 'published', items: [] },
        },
    },
    results: { begin: () => undefined, record: () => undefined },
    progress: { recorded: () => undefined, waiting: (wait) => seen.shown.push(wait?.waitMs) },
    sleep: async (ms) => {
      seen.slept.push(ms);
      // Lets all other requests get as far as they can.
      await new Promise(setImmediate);
    },
    interrupted: new AbortController().signal,
    stopFor: ({ outcome }) => new CommandError(1, outcome, outcome),
  });
  /** The length of each pause. */
  const pauses = () =>
    seen.shown.filter((waitMs, n) => waitMs !== undefined && seen.shown[n - 1] === undefined);
  return { run, seen, pauses };
}

describe('the pause of a bulk restore', () => {
  it('does not begin until a request is throttled', async () => {
    const { run, seen } = runWith();

    await run.run(itemsOf(8), 2);

    expect(seen).toEqual({ shown: [], slept: [], requests: 8 });
  });

  it('is one for all requests, and shown each second', async () => {
    const { run, seen } = runWith(throttled(2_500));

    await run.run(itemsOf(8), 2);

    expect(seen.slept).toEqual([1_000, 1_000, 500]);
    expect(seen.shown).toEqual([2_500, 1_500, 500, undefined]);
    expect(seen.requests).toBe(9);
  });

  it.each([
    [undefined, 1_000],
    [500, 1_000],
    [7_000, 7_000],
  ])('is as long as requested (%s ms), and at least its own time', async (retryAfterMs, waitMs) => {
    const { run, pauses } = runWith(throttled(retryAfterMs));

    await run.run(itemsOf(1), 1);

    expect(pauses()).toEqual([waitMs]);
  });

  it('doubles each time in a row, up to a minute, and is of no more use after the eighth', async () => {
    const { run, seen, pauses } = runWith(...Array<RestoreAnswer>(20).fill(throttled()));

    const stopped = await run.run(itemsOf(1), 1);

    expect(pauses()).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect([stopped?.code, seen.requests]).toEqual(['too_many_requests', 9]);
  });

  it('starts over once a request is accepted', async () => {
    const { run, pauses } = runWith(throttled(), throttled(), undefined, throttled());

    await run.run(itemsOf(2), 1);

    expect(pauses()).toEqual([1_000, 2_000, 1_000]);
  });

  it('counts requests sent at the same time as one', async () => {
    const { run, seen, pauses } = runWith(...Array<RestoreAnswer>(20).fill(throttled()));

    await run.run(itemsOf(20), 20);

    expect([pauses(), seen.requests]).toEqual([[1_000], 40]);
  });
});

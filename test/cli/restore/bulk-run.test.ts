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

/** Lets all other requests get as far as they can. */
const untilIdle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A run whose first requests get the given answers; the others restore. */
function runWith(answers: (RestoreAnswer | undefined)[], sleep = untilIdle) {
  const seen = { pauses: [] as number[], slept: [] as number[], requests: 0, resumed: 0 };
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
    progress: {
      recorded: () => undefined,
      pausing: (ms) => seen.pauses.push(ms),
      resumed: () => (seen.resumed += 1),
    },
    sleep: (ms) => {
      seen.slept.push(ms);
      return sleep();
    },
    interrupted: new AbortController().signal,
    stopFor: ({ outcome }) => new CommandError(1, outcome, outcome),
  });
  return { run, seen };
}

describe('the pause of a bulk restore', () => {
  it.each([
    [undefined, 1_000],
    [500, 1_000],
    [7_000, 7_000],
  ])('is as long as requested (%s ms), and at least its own time', async (retryAfterMs, pauseMs) => {
    const { run, seen } = runWith([throttled(retryAfterMs)]);

    await run.run(itemsOf(1), 1);

    expect(seen).toEqual({ pauses: [pauseMs], slept: [pauseMs], requests: 2, resumed: 1 });
  });

  it('is one for all requests, and ends when the longest one has', async () => {
    const wakeUps: (() => void)[] = [];
    const { run, seen } = runWith(
      [throttled(5_000), throttled(2_500)],
      () => new Promise((resolve) => wakeUps.push(resolve)),
    );

    const running = run.run(itemsOf(8), 2);
    await untilIdle();
    wakeUps[1]!();
    await untilIdle();
    expect(seen.requests).toBe(2);
    wakeUps[0]!();
    await running;

    expect(seen).toMatchObject({ slept: [5_000, 2_500], requests: 10, resumed: 1 });
  });

  it('doubles each time in a row, up to a minute, and is of no more use after the eighth', async () => {
    const { run, seen } = runWith(Array<RestoreAnswer>(20).fill(throttled()));

    const stopped = await run.run(itemsOf(1), 1);

    expect(seen.pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect([stopped?.code, seen.requests]).toEqual(['too_many_requests', 9]);
  });

  it('starts over once a request is accepted', async () => {
    const { run, seen } = runWith([throttled(), throttled(), undefined, throttled()]);

    await run.run(itemsOf(2), 1);

    expect(seen.pauses).toEqual([1_000, 2_000, 1_000]);
  });

  it('does not double for requests sent at the same time', async () => {
    const { run, seen } = runWith(Array<RestoreAnswer>(20).fill(throttled()));

    await run.run(itemsOf(20), 20);

    expect([new Set(seen.pauses), seen.requests, seen.resumed]).toEqual([new Set([1_000]), 40, 1]);
  });
});

import { RunClock, type WallTime } from '../src/run-clock';
import { standingClock } from '../src/testing/standing-clock';

const START_MS = Date.parse('2026-01-01T00:00:00Z');

let clock: RunClock;
beforeEach(() => (clock = standingClock(START_MS)));

test('fires the timers due on the way in order, each at its own time, and ends exactly at the target', async () => {
  const fired: [string, number][] = [];
  clock.at(START_MS + 2000, () => void fired.push(['second', clock.nowMs() - START_MS]));
  clock.at(START_MS + 1000, () => void fired.push(['first', clock.nowMs() - START_MS]));
  clock.at(START_MS + 9000, () => void fired.push(['not due', 0]));

  await clock.advance(5);

  expect(fired).toEqual([
    ['first', 1000],
    ['second', 2000],
  ]);
  expect(clock.nowMs()).toBe(START_MS + 5000);
});

test('fires a timer that a timer on the way sets', async () => {
  const firedAtMs: number[] = [];
  const again = (): void => {
    firedAtMs.push(clock.nowMs() - START_MS);
    clock.at(clock.nowMs() + 1000, again);
  };
  clock.at(START_MS + 1000, again);

  await clock.advance(3.5);

  expect(firedAtMs).toEqual([1000, 2000, 3000]);
});

test('does not move on until held work has ended', async () => {
  const endedAtMs: number[] = [];
  clock.at(START_MS + 1000, () => {
    clock.hold(
      (async () => {
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
        endedAtMs.push(clock.nowMs() - START_MS);
      })(),
    );
  });
  clock.at(START_MS + 2000, () => void endedAtMs.push(clock.nowMs() - START_MS));

  await clock.advance(10);

  expect(endedAtMs).toEqual([1000, 2000]);
});

test('reports each new offset before the timers of that moment fire', async () => {
  const seen: string[] = [];
  clock = standingClock(START_MS, { onOffset: (offsetMs) => void seen.push(`offset ${offsetMs}`) });
  clock.at(START_MS + 1000, () => void seen.push('timer'));

  await clock.advance(2);

  expect(seen).toEqual(['offset 1000', 'timer', 'offset 2000']);
});

test('runs advances in sequence', async () => {
  await Promise.all([clock.advance(1), clock.advance(2)]);

  expect(clock.offsetMs()).toBe(3000);
});

test('does not fire a cancelled timer', async () => {
  const run = jest.fn();
  clock.at(START_MS + 1000, run).cancel();

  await clock.advance(5);

  expect(run).not.toHaveBeenCalled();
});

test('rejects the advance in which a timer fails, and can be advanced again', async () => {
  clock.at(START_MS + 1000, () => {
    throw new Error('broken timer');
  });

  await expect(clock.advance(5)).rejects.toThrow('broken timer');
  await clock.advance(1);

  expect(clock.offsetMs()).toBe(2000);
});

test('wakes for the earliest timer in real time, and reports a failing one', async () => {
  let nowMs = START_MS;
  let wake: (() => void) | undefined;
  const delaysMs: number[] = [];
  const wall: WallTime = {
    nowMs: () => nowMs,
    startTimer: (run, delayMs) => {
      wake = run;
      delaysMs.push(delayMs);
      return () => undefined;
    },
  };
  const errors: unknown[] = [];
  clock = new RunClock({ onError: (error) => errors.push(error) }, wall);
  const run = jest.fn();
  clock.at(START_MS + 5000, run);
  clock.at(START_MS + 1000, () => {
    throw new Error('broken timer');
  });

  nowMs += 1000;
  wake?.();
  await clock.idle();

  expect(delaysMs).toEqual([5000, 1000, 4000]);
  expect(errors).toEqual([new Error('broken timer')]);
  expect(run).not.toHaveBeenCalled();
});

test('fires what is overdue with the next new timer, after a sleep in which real timers stood still', () => {
  let nowMs = START_MS;
  const delaysMs: number[] = [];
  const startTimer: WallTime['startTimer'] = (_, delayMs) => {
    delaysMs.push(delayMs);
    return () => undefined;
  };
  clock = new RunClock({}, { nowMs: () => nowMs, startTimer });
  clock.at(START_MS + 300_000, jest.fn());

  nowMs += 3_600_000;
  clock.at(nowMs + 60_000, jest.fn());

  expect(delaysMs).toEqual([300_000, 0]);
});

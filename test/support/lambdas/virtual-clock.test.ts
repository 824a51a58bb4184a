import { VirtualClock } from './virtual-clock';

let clock: VirtualClock;
let woken: string[];
beforeEach(() => {
  clock = new VirtualClock();
  woken = [];
});

/** Waits, and records the name when the wait ends. */
function wait(name: string, ms: number) {
  const sleep = clock.sleep(ms);
  void sleep.then(() => woken.push(`${name} at ${clock.monotonicMs() - startedMs}`));
  return sleep;
}
let startedMs: number;
beforeEach(() => (startedMs = clock.monotonicMs()));

const everyoneIsAwake = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('sleepers wake in order of their due times; those with equal times in the order they began', async () => {
  void wait('late', 30);
  void wait('early', 10);
  void wait('middle', 20);
  void wait('second early', 10);

  await everyoneIsAwake();

  expect(woken).toEqual(['early at 10', 'second early at 10', 'middle at 20', 'late at 30']);
});

test('a canceled wait never ends, takes no time, and wakes no one', async () => {
  const cancelled = wait('cancelled', 10);
  void wait('other', 20);
  cancelled.cancel();
  cancelled.cancel();

  await everyoneIsAwake();

  expect(woken).toEqual(['other at 20']);
});

test('canceling a finished wait does not affect other sleepers', async () => {
  void wait('other', 20);
  const first = wait('first', 10);
  void first.then(() => first.cancel());

  await everyoneIsAwake();

  expect(woken).toEqual(['first at 10', 'other at 20']);
});

test("a wait canceled by another sleeper's work lets the rest continue", async () => {
  const cancelled = wait('cancelled', 20);
  void wait('first', 10).then(() => cancelled.cancel());
  void wait('last', 30);

  await everyoneIsAwake();

  expect(woken).toEqual(['first at 10', 'last at 30']);
});

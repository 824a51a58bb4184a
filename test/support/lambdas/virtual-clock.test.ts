import { VirtualClock } from './virtual-clock';

let clock: VirtualClock;
let woken: string[];
beforeEach(() => {
  clock = new VirtualClock();
  woken = [];
});

/** A wait whose end is noted under a name. */
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

test('sleepers wake in the order of their times, those of the same time as they fell asleep', async () => {
  void wait('late', 30);
  void wait('early', 10);
  void wait('middle', 20);
  void wait('second early', 10);

  await everyoneIsAwake();

  expect(woken).toEqual(['early at 10', 'second early at 10', 'middle at 20', 'late at 30']);
});

test('a wait that is cancelled never ends, takes no time, and wakes nobody', async () => {
  const cancelled = wait('cancelled', 10);
  void wait('other', 20);
  cancelled.cancel();
  cancelled.cancel();

  await everyoneIsAwake();

  expect(woken).toEqual(['other at 20']);
});

test('a wait that is cancelled when it is over keeps nobody else asleep', async () => {
  void wait('other', 20);
  const first = wait('first', 10);
  void first.then(() => first.cancel());

  await everyoneIsAwake();

  expect(woken).toEqual(['first at 10', 'other at 20']);
});

test('a wait that is cancelled by the work of another one lets the rest go on', async () => {
  const cancelled = wait('cancelled', 20);
  void wait('first', 10).then(() => cancelled.cancel());
  void wait('last', 30);

  await everyoneIsAwake();

  expect(woken).toEqual(['first at 10', 'last at 30']);
});

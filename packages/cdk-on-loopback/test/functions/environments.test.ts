import { setImmediate as nextTurn } from 'node:timers/promises';

import { type LambdaFunction } from '../../src/account';
import { RunClock } from '../../src/run-clock';
import { type EnvironmentProcess } from '../../src/functions/environment-process';
import { Environments } from '../../src/functions/environments';

/** The most processes in a run. */
const MAX_PROCESSES = 20;
/** The most busy processes; then events wait for a warm one. */
const MAX_BUSY = 8;

let starts: number;
let alive: Set<unknown>;
let maxAlive: number;
let environments: Environments;
beforeEach(() => {
  starts = 0;
  alive = new Set();
  maxAlive = 0;
  environments = new Environments(new RunClock(), (fn) => Promise.resolve(startedProcess(fn)));
});
afterEach(() => environments.close());

function startedProcess(fn: LambdaFunction): EnvironmentProcess {
  const started = {
    fn,
    get isAlive() {
      return alive.has(started);
    },
    end: () => Promise.resolve(void alive.delete(started)),
  };
  starts += 1;
  alive.add(started);
  maxAlive = Math.max(maxAlive, alive.size);
  return started as unknown as EnvironmentProcess;
}

function functions(count: number): LambdaFunction[] {
  return Array.from({ length: count }, (_, index) => ({ arn: `function-${index}` }) as LambdaFunction);
}

async function useInTurn(used: LambdaFunction[]): Promise<void> {
  for (const fn of used) await environments.release(await environments.acquire(fn));
}

test('functions stay warm as long as all fit, however often they alternate', async () => {
  const used = functions(MAX_PROCESSES);

  for (let turn = 0; turn < 3; turn += 1) await useInTurn(used);

  expect(starts).toBe(MAX_PROCESSES);
});

test('if more are needed, the process that was idle longest makes room', async () => {
  const used = functions(MAX_PROCESSES + 1);

  await useInTurn(used);
  await useInTurn(used.slice(1));

  expect(starts).toBe(MAX_PROCESSES + 1);
  expect(maxAlive).toBe(MAX_PROCESSES);
});

test('busy processes replace idle ones', async () => {
  await useInTurn(functions(MAX_PROCESSES));

  const busy = await Promise.all(
    functions(MAX_PROCESSES + MAX_BUSY)
      .slice(-MAX_BUSY)
      .map((fn) => environments.acquire(fn)),
  );

  expect(new Set(busy).size).toBe(MAX_BUSY);
  expect(maxAlive).toBe(MAX_PROCESSES);
});

test('a slot that is handed on is not given to another', async () => {
  const [warm, cold, ...others] = functions(2 + MAX_BUSY);
  const [first] = await Promise.all([warm!, ...others.slice(1)].map((fn) => environments.acquire(fn)));
  const handedOn = environments.acquire(warm!);

  void environments.release(first!);
  void environments.acquire(cold!);

  expect(await handedOn).toBe(first);
  await nextTurn();
  expect(starts).toBe(MAX_BUSY);
});

describe('after more were needed at once', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('no more processes stay than fit', async () => {
    const [fn] = functions(1);
    const events = Array.from({ length: 20 }, () => environments.acquire(fn!));
    await jest.advanceTimersByTimeAsync(20_000);
    const busy = await Promise.all(events);
    expect(alive.size).toBe(20);

    for (const each of busy) await environments.release(each);

    expect(alive.size).toBe(MAX_PROCESSES);
  });
});

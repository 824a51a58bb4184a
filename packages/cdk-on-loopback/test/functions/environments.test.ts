import { setImmediate as nextTurn } from 'node:timers/promises';

import { type LambdaFunction } from '../../src/account';
import { RunClock } from '../../src/run-clock';
import { type EnvironmentProcess } from '../../src/functions/environment-process';
import { Environments } from '../../src/functions/environments';

/** The most processes in a run. */
const MOST_PROCESSES = 20;
/** The most busy processes; then events wait for a warm one. */
const MOST_AT_WORK = 8;

let starts: number;
let alive: Set<unknown>;
let mostAlive: number;
let environments: Environments;
beforeEach(() => {
  starts = 0;
  alive = new Set();
  mostAlive = 0;
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
  mostAlive = Math.max(mostAlive, alive.size);
  return started as unknown as EnvironmentProcess;
}

function functions(count: number): LambdaFunction[] {
  return Array.from({ length: count }, (_, index) => ({ arn: `function-${index}` }) as LambdaFunction);
}

async function useInTurn(used: LambdaFunction[]): Promise<void> {
  for (const fn of used) await environments.release(await environments.acquire(fn));
}

test('functions stay warm as long as all fit, however often they alternate', async () => {
  const used = functions(MOST_PROCESSES);

  for (let turn = 0; turn < 3; turn += 1) await useInTurn(used);

  expect(starts).toBe(MOST_PROCESSES);
});

test('if more are needed, the process that was idle longest makes room', async () => {
  const used = functions(MOST_PROCESSES + 1);

  await useInTurn(used);
  await useInTurn(used.slice(1));

  expect(starts).toBe(MOST_PROCESSES + 1);
  expect(mostAlive).toBe(MOST_PROCESSES);
});

test('busy processes replace idle ones', async () => {
  await useInTurn(functions(MOST_PROCESSES));

  const busy = await Promise.all(
    functions(MOST_PROCESSES + MOST_AT_WORK)
      .slice(-MOST_AT_WORK)
      .map((fn) => environments.acquire(fn)),
  );

  expect(new Set(busy).size).toBe(MOST_AT_WORK);
  expect(mostAlive).toBe(MOST_PROCESSES);
});

test('a slot that is handed on is not given to another', async () => {
  const [warm, cold, ...others] = functions(2 + MOST_AT_WORK);
  const [first] = await Promise.all([warm!, ...others.slice(1)].map((fn) => environments.acquire(fn)));
  const handedOn = environments.acquire(warm!);

  void environments.release(first!);
  void environments.acquire(cold!);

  expect(await handedOn).toBe(first);
  await nextTurn();
  expect(starts).toBe(MOST_AT_WORK);
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

    expect(alive.size).toBe(MOST_PROCESSES);
  });
});

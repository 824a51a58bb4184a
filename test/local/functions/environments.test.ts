import { type LambdaFunction } from '../../../local/account';
import { RunClock } from '../../../local/clock';
import { type EnvironmentProcess } from '../../../local/functions/environment-process';
import { Environments } from '../../../local/functions/environments';

/** What the run may hold at once: at about 70 MiB each, it stays below 1 GiB. */
const MOST_PROCESSES = 14;

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

test('as many functions as fit stay warm, however often they come in turn', async () => {
  const used = functions(MOST_PROCESSES);

  for (let turn = 0; turn < 3; turn += 1) await useInTurn(used);

  expect(starts).toBe(MOST_PROCESSES);
});

test('of more than fit, the one that idled longest makes room', async () => {
  const used = functions(MOST_PROCESSES + 1);

  await useInTurn(used);
  await useInTurn(used.slice(1));

  expect(starts).toBe(MOST_PROCESSES + 1);
  expect(mostAlive).toBe(MOST_PROCESSES);
});

test('those at work take the room of those that idle', async () => {
  await useInTurn(functions(MOST_PROCESSES));

  const busy = await Promise.all(
    functions(MOST_PROCESSES + 8)
      .slice(-8)
      .map((fn) => environments.acquire(fn)),
  );

  expect(new Set(busy).size).toBe(8);
  expect(mostAlive).toBe(MOST_PROCESSES);
});

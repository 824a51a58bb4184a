import { type Place, placeOf } from './support/journeys';
import { expectProblem } from './support/problem-answer';
import { descendants, startedWith } from './support/processes';
import {
  basicOf,
  callRestore,
  changesOf,
  failContent,
  isArchived,
  platformAnswers,
} from './support/restore-calls';
import { RunningSystem } from './support/running-system';

let system: RunningSystem;
let place: Place;
let contentId: string;
let authorization: string;

beforeAll(async () => {
  system = await RunningSystem.start();
  place = placeOf(system, 'production', 'global');
  contentId = place.tenant.archivedContentIds[0]!;
  authorization = await basicOf(place);
});
afterAll(() => system.stop());
beforeEach(() => system.control('POST', '/reset'));

it('restores a content once when twenty equal requests come at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => callRestore(place, contentId, { authorization })),
  );

  const others = answers.filter(({ status }) => status !== 200);
  expect(others).toHaveLength(19);
  for (const answer of others) {
    if (answer.status === 429) expectProblem(answer, 429, 'too_many_requests', { retryAfterSec: 1 });
    else expectProblem(answer, 409, 'not_archived');
  }
  expect(await changesOf(place, contentId)).toHaveLength(1);
});

describe('when the process of the restore function is killed right after it has sent its request', () => {
  it('the caller is not told that nothing was modified, and nothing is sent again', async () => {
    await failContent(place, { delayMs: 60_000, times: 1 });
    const answer = callRestore(place, contentId, { authorization });
    await until(requestIsHeldBack);

    killRestoreFunction();

    expectProblem(await answer, 500, 'outcome_unknown');
    await until(async () => Object.keys(await platformAnswers(place, contentId)).length > 0);
    expect(await platformAnswers(place, contentId)).toEqual({ 0: 1 });
    expect(await isArchived(place, contentId)).toBe(true);
  });

  it('the next request is served by a new process', async () => {
    await failContent(place, { delayMs: 60_000, times: 1 });
    const killed = callRestore(place, contentId, { authorization });
    await until(requestIsHeldBack);
    killRestoreFunction();
    await killed;

    const answer = await callRestore(place, contentId, { authorization });

    expect(answer.status).toBe(200);
  });
});

/** Whether the sandbox delays a request: the one fault is then used up. */
async function requestIsHeldBack(): Promise<boolean> {
  const { faults } = await system.control<{ faults: object[] }>('GET', '/faults');
  return faults.length === 0;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < 2_000; look += 1) if (await holds()) return;
  throw new Error('the request did not reach the platform');
}

/** Kills every process that runs the deployment's restore function: those that wait for an event too. */
function killRestoreFunction(): void {
  const name = place.deployment.functions.restore!.split(':').at(-1);
  const running = descendants(system.process.pid).filter(
    (pid) => startedWith(pid).environment.AWS_LAMBDA_FUNCTION_NAME === name,
  );
  if (running.length === 0) throw new Error(`no process runs ${name}`);
  for (const pid of running) process.kill(pid, 'SIGKILL');
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type CommandOptions, documentOf } from './support/command';
import { archivedContents, load, type Place, placeOf } from './support/journeys';
import { PROJECT_ROOT } from './support/local-process';
import { OperatedTenant } from './support/operated-tenant';
import { expectProblem } from '../support/restore-api/problem-answer';
import { descendants, startedWith } from './support/processes';
import {
  basicOf,
  bearerOf,
  callRestore,
  changesOf,
  failContent,
  platformAnswers,
} from './support/restore-calls';
import { blocksOf, installCommand, runShell, shellEnvironment } from './support/runbook';
import { RunningSystem } from './support/running-system';

/**
 * Content is restored: by callers of the API, and in bulk by an operator. test/restore-api/clauses has the answer to every cause,
 * and test/cli/restore every point at which a bulk restore may be killed.
 */
let folder: string;
let system: RunningSystem;
let place: Place;
let contentId: string;
let authorization: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-restore-'));
  system = await RunningSystem.startConfigured((configuration) => {
    configuration.deployments = configuration.deployments.filter(
      ({ environment }) => environment === 'staging',
    );
    // The stage does not throttle the bulk restore.
    const restoreApi = { rateLimit: 1_000, burstLimit: 1_000 };
    configuration.deployments.forEach((each) => Object.assign(each, { restoreApi }));
  });
  installCommand(folder, system);
  place = placeOf(system, 'staging', 'global');
  contentId = place.tenant.archivedContentIds[0]!;
  authorization = await basicOf(place);
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => system.control('POST', '/reset'));

it.each(['Basic', 'Bearer'])(
  'restores once with %s: 200 with the items by rank, then 409',
  async (scheme) => {
    const credential = scheme === 'Basic' ? authorization : await bearerOf(place, 'api/write');

    const first = await callRestore(place, contentId, { authorization: credential });
    const second = await callRestore(place, contentId, { authorization: credential });

    expect(first.status).toBe(200);
    const item = (rank: number) => ({ rank, summary: `Part ${rank + 1}`, status: 'ok' });
    expect(JSON.parse(first.text)).toMatchObject({
      id: contentId,
      status: 'published',
      items: [item(0), item(1), { ...item(2), status: 'error', failureReason: expect.any(String) as string }],
    });
    expectProblem(second, 409, 'not_archived');
    expect(await platformAnswers(place, contentId)).toEqual({ 200: 1, 409: 1 });
    expect(await changesOf(place, contentId)).toHaveLength(1);
  },
);

it('does not claim that nothing was modified when the restore function is killed during its request', async () => {
  await failContent(place, { delayMs: 60_000, times: 1 });
  const answer = callRestore(place, contentId, { authorization });
  await until(requestIsHeldBack);

  killRestoreFunction();

  expectProblem(await answer, 500, 'outcome_unknown');
  await until(async () => Object.keys(await platformAnswers(place, contentId)).length > 0);
  expect(await platformAnswers(place, contentId)).toEqual({ 0: 1 });
  expect(await archivedContents(place)).toContain(contentId);
  // A new process serves the next request.
  expect((await callRestore(place, contentId, { authorization })).status).toBe(200);
});

describe('many contents', () => {
  const CONTENTS = 40;
  /** One request fails in each way. Two of them leave the outcome unknown. */
  const FAULTS: object[] = [
    { status: 502 },
    { status: 429, headers: { 'retry-after': '1' } },
    { reset: 'after' },
    { status: 503 },
    { status: 401 },
  ];
  /** The default of `--parallel`. */
  const AT_ONCE = 8;

  it('are restored in spite of faults, Ctrl-C and a kill: each once, or reported as unknown', async () => {
    const tenant = new OperatedTenant(placeOf(system, 'staging', 'mea'));
    await load(tenant.place);
    const { environment, platformRegion } = tenant.place.deployment;
    const { tenantId, collaborationIds } = tenant.place.tenant;
    const asked = { environment, platformRegion, tenantId, count: CONTENTS };
    const { contentIds } = await system.control<{ contentIds: string[] }>('POST', '/contents', asked);
    const list = join(folder, 'ids.txt');
    writeFileSync(list, contentIds.join('\n'));
    /** Runs at a terminal, where the command shows each content as it is restored. */
    const run = (options: CommandOptions, more = '--yes') =>
      tenant.run(`restore --from ${list} --collaboration-id ${collaborationIds[0]} --json ${more}`, {
        answers: [],
        ...options,
      });
    /** The last outcome of each content. A killed run may leave a truncated line behind. */
    const outcomes = () => {
      const lines = readFileSync(`${list}.results.jsonl`, 'utf8').split('\n').slice(1, -1);
      const results = lines.map((line) => JSON.parse(line) as { contentId: string; outcome: string });
      return new Map(results.map((result) => [result.contentId, result.outcome]));
    };
    const restored = () => contentIds.filter((each) => outcomes().get(each) === 'restored');
    const shown = (least: number) =>
      new RegExp(`· (${Array.from({ length: CONTENTS - least }, (_, n) => least + n).join('|')}) restored`);
    const countChanges = async (ids: string[]) =>
      Promise.all(ids.map(async (each) => (await changesOf(tenant.place, each)).length));

    for (const [seed, fault] of FAULTS.entries())
      await failContent(tenant.place, { ...fault, probability: 0.1, seed, times: 1 });
    const interrupted = await run({ signal: { after: shown(4), name: 'SIGINT' } });
    const killed = await run({ signal: { after: shown(restored().length + 1), name: 'SIGKILL' } });
    const last = await run({ answers: undefined });
    const restoredBefore = restored();
    const changesBefore = await countChanges(contentIds);
    await system.control('DELETE', '/faults');
    const retried = await run({ answers: undefined }, '--retry-unknown');

    expect([1, 75]).toContain(interrupted.exitCode);
    expect(killed.stdout).not.toContain('"left"');
    const { unknown, ...counts } = documentOf<{ unknown: number }>(last);
    expect(counts).toMatchObject({ restored: restoredBefore.length, failed: 0, left: 0 });
    expect(restoredBefore.length + unknown).toBe(CONTENTS);
    expect(unknown).toBeLessThanOrEqual(2 + AT_ONCE);
    expect(await countChanges(restoredBefore)).toEqual(restoredBefore.map(() => 1));
    expect(Math.max(...changesBefore)).toBe(1);
    expect(documentOf(retried)).toMatchObject({ unknown: 0, left: 0 });
    expect(await countChanges(contentIds)).toEqual(contentIds.map(() => 1));
  });
});

describe('the blocks of docs/restore-api.md', () => {
  it.each([
    ['## Who restored what', /"code":"restored"/],
    ['## Follow a request', /is published[^]*\n\S+Z +\S+ +restored +token content api\/write +\S+\n/],
  ])('%s: run as printed', async (heading, shown) => {
    const page = readFileSync(join(PROJECT_ROOT, 'docs/restore-api.md'), 'utf8');
    const [section = ''] = page.slice(page.indexOf(`${heading}\n`) + 2).split('\n## ', 1);
    const [block, ...others] = blocksOf({ file: 'restore-api.md', text: section }, 'sh');
    const [restored = '', archived = ''] = place.tenant.archivedContentIds;
    await callRestore(place, restored, { authorization });

    const { exitCode, output } = runShell(block!, {
      ...shellEnvironment(folder, place),
      ID: heading === '## Who restored what' ? restored : archived,
      AUTHOR: place.tenant.authorRefs[0]!,
    });

    expect(others).toEqual([]);
    expect(output).toMatch(shown);
    expect(exitCode).toBe(0);
  });
});

/** Whether the sandbox is delaying a request, which has then used up the one fault. */
async function requestIsHeldBack(): Promise<boolean> {
  const { faults } = await system.control<{ faults: object[] }>('GET', '/faults');
  return faults.length === 0;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < 2_000; look += 1) if (await holds()) return;
  throw new Error('the request did not reach the platform');
}

/** Kills every process of the deployment's restore function, including idle ones. */
function killRestoreFunction(): void {
  const name = place.deployment.functions.restore!.split(':').at(-1);
  const running = descendants(system.process.pid).filter(
    (pid) => startedWith(pid).environment.AWS_LAMBDA_FUNCTION_NAME === name,
  );
  if (running.length === 0) throw new Error(`no process runs ${name}`);
  for (const pid of running) process.kill(pid, 'SIGKILL');
}

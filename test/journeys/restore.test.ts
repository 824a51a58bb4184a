import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expectProblem } from '../support/restore-api/problem-answer';
import { documentOf } from './support/command';
import { blocksOf } from './support/pages';
import { type Place } from './support/place';
import { descendants, startedWith } from './support/processes';
import { RunningSystem } from './support/running-system';
import { installCommand, runShell, shellEnvironment } from './support/shell';
import { until } from './support/until';

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
  system = await RunningSystem.startConfigured((deployments) => {
    deployments.splice(2);
    // The stage does not throttle the bulk restore.
    for (const each of deployments) each.restoreApi = { rateLimit: 1_000, burstLimit: 1_000 };
  });
  installCommand(folder, system);
  place = system.place('staging', 'global');
  contentId = place.tenant.archivedContentIds[0]!;
  authorization = await place.basic();
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => system.control('POST', '/reset'));

/** How often the platform answered requests for the content, by status; 0 is a broken connection. */
async function platformAnswers(): Promise<Record<number, number>> {
  const { requests } = await system.control<{ requests: { path: string; status: number; count: number }[] }>(
    'GET',
    '/counters',
  );
  const ofContent = requests.filter(({ path }) => path.includes(`/${contentId}/`));
  return Object.fromEntries(ofContent.map(({ status, count }) => [status, count]));
}

/** How often the platform has changed each of these contents. */
async function countChanges(contentIds: string[]): Promise<number[]> {
  const { changes } = await system.control<{ changes: { contentId: string }[] }>('GET', '/audit');
  return contentIds.map((id) => changes.filter((change) => change.contentId === id).length);
}

it.each(['Basic', 'Bearer'])(
  'restores once with %s: 200 with the items by rank, then 409',
  async (scheme) => {
    const credential = scheme === 'Basic' ? authorization : await place.bearer('api/write');

    const first = await place.restore(contentId, { authorization: credential });
    const second = await place.restore(contentId, { authorization: credential });

    expect(first.status).toBe(200);
    const item = (rank: number) => ({ rank, summary: `Part ${rank + 1}`, status: 'ok' });
    expect(JSON.parse(first.text)).toMatchObject({
      id: contentId,
      status: 'published',
      items: [item(0), item(1), { ...item(2), status: 'error', failureReason: expect.any(String) as string }],
    });
    expectProblem(second, 409, 'not_archived');
    expect(await platformAnswers()).toEqual({ 200: 1, 409: 1 });
    expect(await countChanges([contentId])).toEqual([1]);
  },
);

it('does not claim that nothing was modified when the restore function is killed during its request', async () => {
  await place.fail('content', { delayMs: 60_000, times: 1 });
  const answer = place.restore(contentId, { authorization });
  await system.faultsUsed();

  killRestoreFunction();

  expectProblem(await answer, 500, 'outcome_unknown');
  await until(async () => Object.keys(await platformAnswers()).length > 0);
  expect(await platformAnswers()).toEqual({ 0: 1 });
  expect(await place.archivedContents()).toContain(contentId);
  // A new process serves the next request.
  expect((await place.restore(contentId, { authorization })).status).toBe(200);
});

/** Kills every process of the deployment's restore function, including idle ones. */
function killRestoreFunction(): void {
  const name = place.deployment.functions.restore!.split(':').at(-1);
  const running = descendants(system.process.pid).filter(
    (pid) => startedWith(pid).environment.AWS_LAMBDA_FUNCTION_NAME === name,
  );
  if (running.length === 0) throw new Error(`no process runs ${name}`);
  for (const pid of running) process.kill(pid, 'SIGKILL');
}

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
    const other = system.place('staging', 'mea');
    await other.load();
    const asked = { environment: 'staging', platformRegion: 'mea', tenantId: other.tenant.tenantId };
    const { contentIds } = await system.control<{ contentIds: string[] }>('POST', '/contents', {
      ...asked,
      count: CONTENTS,
    });
    const list = join(folder, 'ids.txt');
    writeFileSync(list, contentIds.join('\n'));
    const restore = `restore --from ${list} --collaboration-id ${other.tenant.collaborationIds[0]} --json`;
    /** Runs at a terminal, where the command shows each content as it is restored. */
    const stopped = (least: number, name: 'SIGINT' | 'SIGKILL') => {
      const counts = Array.from({ length: CONTENTS - least }, (_, n) => least + n);
      const after = new RegExp(`· (${counts.join('|')}) restored`);
      return other.command(`${restore} --yes`, { answers: [], signal: { after, name } });
    };
    /** Those whose last outcome in the results is this. A killed run may leave a truncated line behind. */
    const restored = () => {
      const lines = readFileSync(`${list}.results.jsonl`, 'utf8').split('\n').slice(1, -1);
      const results = lines.map((line) => JSON.parse(line) as { contentId: string; outcome: string });
      const outcomes = new Map(results.map((result) => [result.contentId, result.outcome]));
      return contentIds.filter((id) => outcomes.get(id) === 'restored');
    };

    for (const [seed, fault] of FAULTS.entries())
      await other.fail('content', { ...fault, probability: 0.1, seed, times: 1 });
    const interrupted = await stopped(4, 'SIGINT');
    const killed = await stopped(restored().length + 1, 'SIGKILL');
    const last = await other.command(`${restore} --yes`);
    const restoredBefore = restored();
    const changesBefore = await countChanges(contentIds);
    await system.control('DELETE', '/faults');
    const retried = await other.command(`${restore} --retry-unknown`);

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

it.each([
  ['who-restored-what', 0, /"code":"restored"/],
  ['follow-a-request', 1, /is published[^]*\n\S+Z +\S+ +restored +token content api\/write +\S+\n/],
])('the block of docs/restore-api.md#%s runs as printed', async (anchor, content, shown) => {
  const blocks = blocksOf(`restore-api.md#${anchor}`);
  await place.restore(contentId, { authorization });

  const { exitCode, stdout, stderr } = await runShell(blocks[0]!, {
    ...shellEnvironment(folder, place),
    ID: place.tenant.archivedContentIds[content],
    AUTHOR: place.tenant.authorRefs[0],
  });

  expect(blocks).toHaveLength(1);
  expect(`${stdout}\n${stderr}`).toMatch(shown);
  expect(exitCode).toBe(0);
});

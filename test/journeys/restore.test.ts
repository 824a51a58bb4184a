import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type HistoryEntry } from '../../cli/restore/read-history';
import { type ApiKeyValue } from '../../core/secrets/secret-values';
import { documentOf } from './support/command';
import { basic, issue, load, type Place, placeOf, proveKey } from './support/journeys';
import { PROJECT_ROOT } from './support/local-process';
import { OperatedTenant } from './support/operated-tenant';
import { expectProblem } from './support/problem-answer';
import { descendants, startedWith } from './support/processes';
import {
  basicOf,
  bearerOf,
  callRestore,
  changesOf,
  failContent,
  isArchived,
  platformAnswers,
  tokenAnswers,
} from './support/restore-calls';
import { blocksOf, installCommand, runShell, shellEnvironment } from './support/runbook';
import { RunningSystem } from './support/running-system';

let system: RunningSystem;
/** Its deployment has a second tenant. */
let place: Place;
let contentId: string;
let authorization: string;

beforeAll(async () => {
  system = await RunningSystem.startPart(['latchkey-staging-global', 'latchkey-staging-mea']);
  place = placeOf(system, 'staging', 'global');
  contentId = place.tenant.archivedContentIds[0]!;
  authorization = await basicOf(place);
});
afterAll(() => system.stop());
beforeEach(() => system.control('POST', '/reset'));

// test/restore-api/clauses has the outcomes of all causes, with the functions in one process.
it.each(['Basic', 'Bearer'])(
  'restores once with %s: 200 with the items by rank, then 409',
  async (scheme) => {
    const credential = scheme === 'Basic' ? authorization : await bearerOf(place, 'api/write');

    const first = await callRestore(place, contentId, { authorization: credential });
    const second = await callRestore(place, contentId, { authorization: credential });

    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
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

it('reports on a repeated request that the attempt with the lost answer may have restored the content', async () => {
  await failContent(place, { reset: 'after', times: 1 });

  const first = await callRestore(place, contentId, { authorization });
  const next = await callRestore(place, contentId, { authorization });

  expectProblem(first, 504, 'outcome_unknown');
  expect(expectProblem(next, 409, 'not_archived').detail).toMatch(/earlier attempt may have restored it/);
  expect(await platformAnswers(place, contentId)).toEqual({ 0: 1, 409: 1 });
  expect(await changesOf(place, contentId)).toHaveLength(1);
});

describe('a token that the platform refuses', () => {
  it('is replaced, and the request is sent once more', async () => {
    await failContent(place, { status: 401, times: 1 });

    const answer = await callRestore(place, contentId, { authorization });

    expect(answer.status).toBe(200);
    expect(await platformAnswers(place, contentId)).toEqual({ 401: 1, 200: 1 });
    expect(await tokenAnswers(place)).toEqual({ 200: 1 });
  });
});

it('accepts the previous token until it expires', async () => {
  const before = await bearerOf(place, 'api/write');
  // By then a sweep has renewed it.
  await system.advance(46 * 60);
  expect(await bearerOf(place, 'api/write')).not.toBe(before);

  const answer = await callRestore(place, contentId, { authorization: before });

  expect(answer.status).toBe(200);
});

it('restores a content once for twenty simultaneous equal requests', async () => {
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

it('does not claim that nothing was modified when the restore function is killed during its request', async () => {
  await failContent(place, { delayMs: 60_000, times: 1 });
  const answer = callRestore(place, contentId, { authorization });
  await until(requestIsHeldBack);

  killRestoreFunction();

  expectProblem(await answer, 500, 'outcome_unknown');
  await until(async () => Object.keys(await platformAnswers(place, contentId)).length > 0);
  expect(await platformAnswers(place, contentId)).toEqual({ 0: 1 });
  expect(await isArchived(place, contentId)).toBe(true);
  // A new process serves the next request.
  expect((await callRestore(place, contentId, { authorization })).status).toBe(200);
});

interface HistoryDocument {
  found: number;
  restores: HistoryEntry[];
}
const historyOf = async (of: OperatedTenant, flags = '') =>
  documentOf<HistoryDocument>(await of.run(`restore history --json${flags}`));

it('shows who restored what, whatever the scheme, key or acting user', async () => {
  const tenant = new OperatedTenant(system, 'staging', 'mea');
  const { place } = tenant;
  await load(place);
  const [first = '', second = '', third = '', fourth = ''] = place.tenant.archivedContentIds;
  const { tenantId, authorRefs, collaborationIds } = place.tenant;
  const previous = await system.secret<ApiKeyValue>(place.tenant.apiKeyArn!);
  await callRestore(place, first, { authorization: await basicOf(place) });
  await system.putSecret(system.administrator, place.tenant.apiKeyArn!, await issue(place, 'api-keys'));
  await proveKey(place);
  // The authorizer remembers for 10 s which key is the current one.
  await system.advance(11);
  await callRestore(place, second, { authorization: basic(place.tenant, previous.apiKey) });
  await callRestore(place, third, {
    authorization: await bearerOf(place, 'api/write'),
    body: { authorRef: authorRefs[1], collaborationId: collaborationIds[0] },
  });
  await callRestore(place, third, {
    authorization: await bearerOf(place, 'api/write'),
    body: { collaborationId: collaborationIds[0] },
  });
  await callRestore(place, fourth, { authorization: basic(place.tenant, 'wrong-key-of-somebody') });

  const { found, restores } = await historyOf(tenant);

  const basically = {
    scheme: 'basic',
    caller: 'api-key',
    code: 'restored',
    status: 200,
    authorRef: authorRefs[0],
  };
  const bearing = { scheme: 'bearer', caller: 'content api/write', callerVersion: 'current' };
  expect(found).toBe(4);
  expect(restores.toReversed()).toEqual(
    [
      { contentId: first, ...basically, callerVersion: 'current' },
      { contentId: second, ...basically, callerVersion: 'previous' },
      {
        contentId: third,
        ...bearing,
        code: 'restored',
        status: 200,
        authorRef: authorRefs[1],
        collaborationId: collaborationIds[0],
      },
      {
        contentId: third,
        ...bearing,
        code: 'not_archived',
        status: 409,
        collaborationId: collaborationIds[0],
      },
    ].map((entry) => ({
      ...entry,
      tenantId,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      callerVersionId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      apiRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      traceId: expect.stringMatching(/^1-[0-9a-f]{8}-[0-9a-f]{24}$/) as string,
    })),
  );
  const [current, former] = restores.toReversed().map(({ callerVersionId }) => callerVersionId);
  expect(former).toBe(current);
  expect((await historyOf(tenant, ` --author-ref ${authorRefs[1]!}`)).found).toBe(1);
  expect((await historyOf(tenant, ` --content-id ${third} --outcome not_archived`)).found).toBe(1);
});

describe('the blocks of docs/restore-api.md', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-history-'));
    installCommand(folder, system);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

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

import { type ProblemCode } from '../../contract/problem';
import { type Place, placeOf } from './support/journeys';
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
  type RestoreCall,
  restoreUrl,
  tokenAnswers,
} from './support/restore-calls';
import { RunningSystem } from './support/running-system';

let system: RunningSystem;
/** Its deployment has a second tenant. */
let place: Place;
let contentId: string;
let authorization: string;

beforeAll(async () => {
  system = await RunningSystem.startPart(['latchkey-staging-global', 'latchkey-production-mea']);
  place = placeOf(system, 'staging', 'global');
  contentId = place.tenant.archivedContentIds[0]!;
  authorization = await basicOf(place);
});
afterAll(() => system.stop());
beforeEach(() => system.control('POST', '/reset'));

// RFC 6750, section 3.1
const MAY_NOT_WRITE = 'Bearer realm="latchkey", error="insufficient_scope", scope="api/write"';

interface Outcome {
  status: number;
  code: ProblemCode;
  call?: () => RestoreCall | Promise<RestoreCall>;
  /**
   * The fault in every content request to the platform.
   * @default none
   */
  fault?: object;
  /**
   * Counts of the platform's answers by status; 0 is a broken connection.
   * @default no requests
   */
  platform?: Record<number, number>;
  more?: Parameters<typeof expectProblem>[3];
}

/** One cause per outcome. test/restore-api/clauses has all causes, with the functions in one process. */
const OUTCOMES: Record<string, Outcome> = {
  'a malformed body': { status: 400, code: 'malformed_json', call: () => ({ body: '{"authorRef":' }) },
  'no credential': { status: 401, code: 'unauthorized', call: () => ({ authorization: undefined }) },
  'a read-only token': {
    status: 403,
    code: 'forbidden',
    call: async () => ({ authorization: await bearerOf(place, 'api/read') }),
    more: { challenge: MAY_NOT_WRITE },
  },
  'a body over 16 KiB': { status: 413, code: 'body_too_large', call: () => ({ body: ' '.repeat(16_385) }) },
  'another media type': {
    status: 415,
    code: 'unsupported_media_type',
    call: () => ({ contentType: 'text/plain' }),
  },
  'no acting user': { status: 422, code: 'invalid_request', call: () => ({ body: {} }) },
  'an author whom the platform does not know': {
    status: 422,
    code: 'rejected_by_platform',
    call: () => ({ body: { authorRef: 'unknown' } }),
    platform: { 422: 1 },
  },
  'an unknown content': {
    status: 404,
    code: 'content_not_found',
    fault: { status: 404 },
    platform: { 404: 1 },
  },
  'a busy platform': {
    status: 429,
    code: 'too_many_requests',
    fault: { status: 429, headers: { 'retry-after': '7' } },
    platform: { 429: 1 },
    more: { retryAfterSec: 7 },
  },
  'a failing platform': {
    status: 502,
    code: 'platform_failed',
    fault: { status: 502 },
    platform: { 502: 1 },
  },
  'a platform that refuses every token': {
    status: 502,
    code: 'platform_refused_token',
    fault: { status: 401 },
    platform: { 401: 2 },
  },
  'an undocumented answer with a Retry-After': {
    status: 500,
    code: 'outcome_unknown',
    fault: { status: 503, headers: { 'retry-after': '1' } },
    platform: { 503: 1 },
  },
  'a redirect, which is not followed': {
    status: 500,
    code: 'outcome_unknown',
    fault: { status: 307, headers: { location: 'https://elsewhere.example/' } },
    platform: { 307: 1 },
  },
  'a success without a record': {
    status: 500,
    code: 'outcome_unknown',
    fault: { status: 200, body: '<html>' },
    platform: { 200: 1 },
  },
  'a connection that breaks before the request was processed': {
    status: 504,
    code: 'outcome_unknown',
    fault: { reset: 'before' },
    platform: { 0: 1 },
  },
};

it.each(Object.entries(OUTCOMES))(
  '%s: the caller gets a problem, and nothing is restored',
  async (_, outcome) => {
    const { status, code, call, fault, platform = {}, more } = outcome;
    if (fault !== undefined) await failContent(place, fault);

    const answer = await callRestore(place, contentId, { authorization, ...(await call?.()) });

    expectProblem(answer, status, code, more);
    expect(await platformAnswers(place, contentId)).toEqual(platform);
    expect(await isArchived(place, contentId)).toBe(true);
  },
);

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

it('records the author and the collaboration of the body', async () => {
  const [authorRef, collaborationId] = [place.tenant.authorRefs[1]!, place.tenant.collaborationIds[1]!];

  const answer = await callRestore(place, contentId, { authorization, body: { authorRef, collaborationId } });

  expect(answer.status).toBe(200);
  expect(await changesOf(place, contentId)).toMatchObject([
    { operation: 'restore', actingUser: authorRef, owner: collaborationId },
  ]);
});

it('answers an unknown tenant exactly as it answers a wrong credential', async () => {
  const neighbor = { ...place, tenant: place.deployment.tenants[1]! };

  const unknown = await callRestore(place, contentId, { authorization, tenantId: 'unknown' });
  const wrong = await callRestore(neighbor, contentId, { authorization });

  const { requestId: one, ...body } = expectProblem(unknown, 401, 'unauthorized');
  const { requestId: other, ...wrongBody } = expectProblem(wrong, 401, 'unauthorized');
  expect(body).toEqual(wrongBody);
  expect(one).not.toBe(other);
});

it('answers 404 for an unknown route', async () => {
  const url = `${restoreUrl(place, contentId)}/again`;

  expectProblem(await system.send('POST', url, { headers: { authorization } }), 404, 'unknown_route');
});

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

  it('answers 502 if the token cannot be replaced, and the content is not modified', async () => {
    // Uses another deployment, since token-refresh caches the refusal of these credentials.
    const other = placeOf(system, 'production', 'mea');
    const { tenantId, archivedContentIds } = other.tenant;
    const otherId = archivedContentIds[0]!;
    await failContent(other, { status: 401, times: 1 });
    await system.control('POST', '/faults', { target: 'token', match: { tenantId }, status: 401 });

    const answer = await callRestore(other, otherId, { authorization: await basicOf(other) });

    expectProblem(answer, 502, 'token_unavailable');
    expect(await platformAnswers(other, otherId)).toEqual({ 401: 1 });
    expect(await tokenAnswers(other)).toEqual({ 401: 1 });
    expect(await isArchived(other, otherId)).toBe(true);
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

import { type Place, placeOf } from './support/journeys';
import { expectProblem } from './support/problem-answer';
import {
  basicOf,
  callRestore,
  changesOf,
  failContent,
  isArchived,
  platformAnswers,
  tokenAnswers,
} from './support/restore-calls';
import { RunningSystem } from './support/running-system';

let system: RunningSystem;
let place: Place;
let contentId: string;
let authorization: string;

beforeAll(async () => {
  system = await RunningSystem.start();
  place = placeOf(system, 'staging', 'mea');
  contentId = place.tenant.archivedContentIds[0]!;
  authorization = await basicOf(place);
});
afterAll(() => system.stop());
beforeEach(() => system.control('POST', '/reset'));

describe('a documented refusal of the platform is passed on as a problem', () => {
  it.each([
    [403, 'forbidden'],
    [404, 'content_not_found'],
    [409, 'not_archived'],
    [415, 'unsupported_media_type'],
    [422, 'rejected_by_platform'],
    [429, 'too_many_requests'],
  ])('%i as %s', async (status, code) => {
    await failContent(place, { status });

    expectProblem(await callRestore(place, contentId, { authorization }), status, code);
    expect(await platformAnswers(place, contentId)).toEqual({ [status]: 1 });
  });

  it.each([
    ['7', 7],
    ['86400', 60],
    ['soon', undefined],
  ])('429 with Retry-After %s', async (header, retryAfterSec) => {
    await failContent(place, { status: 429, headers: { 'retry-after': header } });

    const answer = await callRestore(place, contentId, { authorization });

    expectProblem(answer, 429, 'too_many_requests', { retryAfterSec });
    expect(await platformAnswers(place, contentId)).toEqual({ 429: 1 });
  });

  it('502, which promises that the content was not modified', async () => {
    await failContent(place, { status: 502 });

    expectProblem(await callRestore(place, contentId, { authorization }), 502, 'platform_failed');
    expect(await platformAnswers(place, contentId)).toEqual({ 502: 1 });
    expect(await isArchived(place, contentId)).toBe(true);
  });
});

describe('an answer that leaves open what happened is 500 outcome_unknown, and is not sent again', () => {
  it.each([
    ['500', { status: 500 }],
    ['503 that asks to come back', { status: 503, headers: { 'retry-after': '1' } }],
    ['504', { status: 504 }],
    ['400, which is not documented', { status: 400 }],
    ['418', { status: 418 }],
    ['204', { status: 204 }],
    ['200 without JSON', { status: 200, body: '<html>' }],
    ['200 without a record', { status: 200, body: {} }],
    ['200 with another record', { status: 200, body: { id: 'other', status: 'published', items: [] } }],
  ])('%s', async (_, fault) => {
    await failContent(place, fault);

    expectProblem(await callRestore(place, contentId, { authorization }), 500, 'outcome_unknown');
    expect(await platformAnswers(place, contentId)).toEqual({ [fault.status]: 1 });
  });

  it.each([301, 302, 303, 307, 308])('%i, which is not followed', async (status) => {
    const other = place.tenant.archivedContentIds[1]!;
    const location = `${place.deployment.platform.contentBaseUrl}/contents/${other}/restore`;
    await failContent(place, { status, headers: { location }, times: 1 });

    expectProblem(await callRestore(place, contentId, { authorization }), 500, 'outcome_unknown');
    expect(await platformAnswers(place, contentId)).toEqual({ [status]: 1 });
    expect(await platformAnswers(place, other)).toEqual({});
  });

  it('200 with more than 1 MiB', async () => {
    // Each number takes 5 bytes here and 22 in the answer: a fault has to be smaller than 1 MiB itself.
    const body = `[${Array(60_000).fill('1e20').join()}]`;
    const match = JSON.stringify({ tenantId: place.tenant.tenantId });
    const fault = `{"target":"content","match":${match},"status":200,"body":${body}}`;
    const added = await system.send('POST', `${system.run.sandboxControl}/faults`, { body: fault });
    expect(added.text.length).toBeGreaterThan(1024 * 1024);

    expectProblem(await callRestore(place, contentId, { authorization }), 500, 'outcome_unknown');
    expect(await platformAnswers(place, contentId)).toEqual({ 200: 1 });
  });
});

describe('a connection that breaks after the request was sent is 504 outcome_unknown, and is not sent again', () => {
  it('before the platform processed it: the content stays archived', async () => {
    await failContent(place, { reset: 'before' });

    expectProblem(await callRestore(place, contentId, { authorization }), 504, 'outcome_unknown');
    expect(await platformAnswers(place, contentId)).toEqual({ 0: 1 });
    expect(await isArchived(place, contentId)).toBe(true);
  });

  it('after the platform processed it: the content is restored, as the 409 of the next attempt hints', async () => {
    await failContent(place, { reset: 'after', times: 1 });

    const first = await callRestore(place, contentId, { authorization });
    const next = await callRestore(place, contentId, { authorization });

    expectProblem(first, 504, 'outcome_unknown');
    expect(expectProblem(next, 409, 'not_archived').detail).toMatch(/earlier attempt may have restored it/);
    expect(await platformAnswers(place, contentId)).toEqual({ 0: 1, 409: 1 });
    expect(await changesOf(place, contentId)).toHaveLength(1);
    expect(await isArchived(place, contentId)).toBe(false);
  });
});

describe('a token that the platform refuses', () => {
  it('is replaced, and the request is sent once more', async () => {
    await failContent(place, { status: 401, times: 1 });

    const answer = await callRestore(place, contentId, { authorization });

    expect(answer.status).toBe(200);
    expect(await platformAnswers(place, contentId)).toEqual({ 401: 1, 200: 1 });
    expect(await tokenAnswers(place)).toEqual({ 200: 1 });
  });

  it('twice is 502, and the content is not modified', async () => {
    await failContent(place, { status: 401 });

    expectProblem(await callRestore(place, contentId, { authorization }), 502, 'platform_refused_token');
    expect(await platformAnswers(place, contentId)).toEqual({ 401: 2 });
    expect(await tokenAnswers(place)).toEqual({ 200: 1 });
    expect(await isArchived(place, contentId)).toBe(true);
  });

  it('and that cannot be replaced is 502, and the content is not modified', async () => {
    // A deployment of its own, since token-refresh remembers for a while that the platform refused its credentials.
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

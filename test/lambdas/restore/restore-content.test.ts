import * as fc from 'fast-check';

import { OUTCOMES, type OutcomeName, REASON_PHRASES } from '../../../core/restore/restore-outcomes';
import { UpstreamTokenError } from '../../../core/tokens/upstream-token-error';
import { type UpstreamResult } from '../../../lambdas/shared/ports';
import {
  ACTING_USER,
  answerOf,
  CONTENT_ID,
  recordOf,
  requestOf,
  RestoreFunction,
  restoringDeploymentOf,
} from '../../support/lambdas/restore-functions';
import { TENANT_ID } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const UNAUTHORIZED = answerOf(401);
const NOT_SENT: UpstreamResult = { kind: 'not_sent', reason: 'no connection (ECONNREFUSED)' };
const NO_ANSWER: UpstreamResult = { kind: 'no_answer', reason: 'no complete answer within 26500 ms' };
const UNREADABLE: UpstreamResult = { kind: 'unreadable', reason: 'the answer is larger than 1048576 bytes' };

const RESTORED = expect.objectContaining({ outcome: 'restored' }) as object;

let world: RestoreFunction;
beforeEach(() => (world = new RestoreFunction()));

describe('a restore', () => {
  test('sends one request with the tenant’s token, and returns the record', async () => {
    const { record, ...answer } = await world.restore();

    expect(answer).toEqual({ outcome: 'restored', upstreamStatus: 200 });
    expect(record).toMatchObject({ id: CONTENT_ID, status: 'published', items: [{ id: 'item-1' }] });
    const deadlineMs = NOON_MS + world.patienceMs;
    expect(world.platform.requests).toEqual([
      { contentId: CONTENT_ID, actingUser: ACTING_USER, accessToken: 'token-1', deadlineMs },
    ]);
    const tenant = { environment: 'staging', platformRegion: 'mea', tenantId: TENANT_ID };
    // It leaves 3 s for the request.
    expect(world.tokens.calls).toEqual([{ tenant, deadlineMs: deadlineMs - 3_000, rejected: undefined }]);
  });

  test('serves each tenant of the deployment', async () => {
    world.deployment = restoringDeploymentOf(['eu-west-2_Other', TENANT_ID]);

    expect((await world.restore()).outcome).toBe('restored');
  });

  test('counts the configured status as success, and no other 2xx', async () => {
    world.deployment = restoringDeploymentOf([TENANT_ID], { successStatus: 202 });
    world.platform.script.push(answerOf(202, recordOf()), answerOf(200, recordOf()));

    expect((await world.restore()).outcome).toBe('restored');
    expect((await world.restore()).outcome).toBe('unknownAfterAnswer');
  });
});

// The platform's specification, "States and transitions", rules 1 and 2
describe('the status of the record', () => {
  test.each(['archived', 'draft', 'Draft', ' ARCHIVED '])('%j contradicts the success', async (status) => {
    world.platform.script.push(answerOf(200, recordOf(CONTENT_ID, { status })));

    const result = await world.restore();

    expect(result).toMatchObject({ outcome: 'contradictedByRecord', upstreamStatus: 200 });
    expect(result).not.toHaveProperty('record');
    expect(world.platform.requests).toHaveLength(1);
  });

  test.each([
    ['ready', 'status: found "ready"; expected: published'],
    ['a text\nwith more', 'status: found not one word; expected: published'],
  ])('%j is passed on, and logged as unexpected', async (status, reason) => {
    world.platform.script.push(answerOf(200, recordOf(CONTENT_ID, { status })));

    expect(await world.restore()).toMatchObject({ outcome: 'restored', record: { status }, reason });
  });
});

describe('sends nothing and requests no token', () => {
  test.each<[string, OutcomeName, { available?: boolean; tenantId?: string; body?: object }]>([
    ['while the platform does not offer restore', 'restoreUnavailable', { available: false }],
    ['for an unknown tenant', 'unknownTenant', { tenantId: 'eu-west-2_Other' }],
    ['for no tenant', 'unknownTenant', { tenantId: '' }],
    ['without an acting user', 'invalidRequest', { body: {} }],
  ])('%s: %s', async (_, outcome, { available = true, tenantId, body = ACTING_USER }) => {
    world.deployment = restoringDeploymentOf([TENANT_ID], { available });

    expect(await world.restore(requestOf({ body }), tenantId)).toMatchObject({ outcome });
    expect(world.platform.requests).toEqual([]);
    expect(world.tokens.calls).toEqual([]);
  });
});

describe('one request only', () => {
  test.each([
    [NOT_SENT, 'platformUnreachable'],
    [NO_ANSWER, 'unknownWithoutAnswer'],
    [UNREADABLE, 'unknownAfterAnswer'],
  ])('whose result is %j has the outcome %s, with the reason for the log (F28)', async (result, outcome) => {
    world.platform.script.push(result);

    expect(await world.restore()).toEqual({ outcome, reason: (result as { reason: string }).reason });
    expect(world.platform.requests).toHaveLength(1);
  });

  test('whose record cannot be read has an unknown outcome', async () => {
    world.platform.script.push(answerOf(200, '{}'));

    expect(await world.restore()).toEqual({
      outcome: 'unknownAfterAnswer',
      reason: 'unreadable record',
      upstreamStatus: 200,
    });
  });

  // The platform's specification, "Errors"
  test('is sent for every answer except a 401, and only a documented refusal keeps its status (F32)', async () => {
    const known: Record<number, number> = {};
    for (let status = 100; status < 600; status += 1) {
      world = new RestoreFunction();
      world.platform.always = () => answerOf(status);

      const { outcome } = await world.restore();

      expect([status, world.platform.requests.length]).toEqual([status, status === 401 ? 2 : 1]);
      if (outcome !== 'unknownAfterAnswer') known[status] = OUTCOMES[outcome].status;
    }
    const refusals = [403, 404, 409, 415, 422, 429, 502].map((status) => [status, status] as const);
    expect(known).toEqual({ ...Object.fromEntries(refusals), 401: 502 });
  });
});

describe('a 401 of the platform (F31)', () => {
  test('causes one more request with another token, for the same content and acting user', async () => {
    world.platform.script.push(UNAUTHORIZED);

    expect((await world.restore()).outcome).toBe('restored');
    expect(world.tokens.calls).toMatchObject([
      { rejected: undefined },
      { rejected: { accessToken: 'token-1' } },
    ]);
    const [first, second] = world.platform.requests;
    expect(second).toEqual({ ...first, accessToken: 'token-2' });
  });

  test('that comes twice causes a 502, without a third request', async () => {
    world.platform.always = () => UNAUTHORIZED;

    expect(await world.restore()).toEqual({ outcome: 'platformRefusedToken', upstreamStatus: 401 });
    expect(world.platform.requests).toHaveLength(2);
    expect(world.tokens.calls).toHaveLength(2);
  });

  test.each([
    ['is followed by a second request if at least 3 s are left', 3_000, RESTORED, 2],
    [
      'is not followed by a second request if no time is left',
      2_999,
      { outcome: 'tokenUnavailable', reason: 'no time left for a second request', upstreamStatus: 401 },
      1,
    ],
  ])('%s', async (_, leftMs, result, requests) => {
    world.platform.script.push(UNAUTHORIZED);
    world.tokens.latenciesMs.push(0, world.patienceMs - leftMs);

    expect(await world.restore()).toEqual(result);
    expect(world.platform.requests).toHaveLength(requests);
  });
});

describe('a token', () => {
  test('that is unavailable causes a 502 token_unavailable, and no request', async () => {
    world.tokens.failures.push(new UpstreamTokenError('credential_refused', 'the platform refused'));

    expect(await world.restore()).toEqual({
      outcome: 'tokenUnavailable',
      reason: 'credential_refused: the platform refused',
    });
    expect(world.platform.requests).toEqual([]);
  });

  test.each(['access_denied', 'aws_not_configured', 'invalid_request', 'unknown_token_key'])(
    'that is unavailable only to this function, by %s, causes the same answer with another outcome',
    async (code) => {
      world.tokens.failures.push(new UpstreamTokenError(code, 'why'));

      const { outcome } = await world.restore();

      expect(outcome).toBe('tokenOutOfReach');
      const { status, detail } = OUTCOMES.tokenUnavailable;
      expect(OUTCOMES[outcome]).toMatchObject({ status, code: 'token_unavailable', detail });
    },
  );

  test.each([
    ['with 3 s left for the request is used', 3_000, RESTORED, 1],
    [
      'too late for a request causes a 502, and no request',
      2_999,
      { outcome: 'tokenUnavailable', reason: 'no time left to send' },
      0,
    ],
  ])('that arrives %s', async (_, leftMs, result, requests) => {
    world.tokens.latenciesMs.push(world.patienceMs - leftMs);

    expect(await world.restore()).toEqual(result);
    expect(world.platform.requests).toHaveLength(requests);
  });

  test('port that throws another error is a bug, not an outcome', async () => {
    world.tokens.get = () => Promise.reject(new TypeError('bug'));

    await expect(world.restore()).rejects.toThrow(TypeError);
  });
});

test('a wall clock that is set forward during the wait for the token takes no time from the request', async () => {
  const get = world.tokens.get.bind(world.tokens);
  world.tokens.get = (...call) => (world.clock.set(300_000), get(...call));

  expect((await world.restore()).outcome).toBe('restored');
});

test('rounds Retry-After up to whole seconds', async () => {
  world.platform.script.push(answerOf(429, '', new Date(NOON_MS + 4_000).toUTCString()));
  world.clock.advance(500);

  expect((await world.restore()).retryAfterSec).toBe(4);
});

test('whatever the request and the answers, the status is one of the contract, after at most two requests (G8)', async () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('application/json', CONTENT_ID, '..'));
  const upstream = fc.oneof(
    fc
      .record({
        status: fc.integer({ min: 100, max: 599 }),
        body: fc.oneof(fc.json(), text),
        retryAfter: text,
      })
      .map((answer): UpstreamResult => ({ kind: 'answered', ...answer })),
    fc.constantFrom(NOT_SENT, NO_ANSWER, UNREADABLE, UNAUTHORIZED, answerOf(200, recordOf())),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(upstream, { minLength: 2, maxLength: 2 }),
      fc.oneof({ weight: 3, arbitrary: fc.constant(CONTENT_ID) }, text),
      fc.oneof({ weight: 3, arbitrary: fc.constant(['application/json']) }, fc.array(text)),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(ACTING_USER) },
        fc.jsonValue(),
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      ),
      async (script, contentId, contentTypes, body) => {
        world = new RestoreFunction();
        world.platform.script.push(...script);

        const { outcome } = await world.restore(requestOf({ contentId, contentTypes, body }));

        expect(Object.keys(REASON_PHRASES).map(Number)).toContain(OUTCOMES[outcome].status);
        expect(world.platform.requests.length).toBeLessThanOrEqual(2);
        const [first, second] = world.platform.requests;
        if (second !== undefined)
          expect({ ...second, accessToken: '' }).toEqual({ ...first, accessToken: '' });
        if (second !== undefined) expect(script[0]).toMatchObject({ status: 401 });
      },
    ),
    { numRuns: 1_000 },
  );
});

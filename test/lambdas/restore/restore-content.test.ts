import * as fc from 'fast-check';

import { RESTORE_STATUSES } from '../../../contract/problem';
import { OUTCOMES, type OutcomeName } from '../../../contract/restore-outcomes';
import { UpstreamTokenError } from '../../../lambdas/shared/domain/upstream-token-error';
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
const NO_ANSWER: UpstreamResult = { kind: 'no_answer', reason: 'no whole answer within 26500 ms' };
const UNREADABLE: UpstreamResult = {
  kind: 'unreadable',
  reason: 'the answer is larger than 1048576 bytes',
};

let world: RestoreFunction;
beforeEach(() => (world = new RestoreFunction()));

describe('a restore', () => {
  test('sends one request with the tenant’s token, and answers the record', async () => {
    const result = await world.restore();

    expect(result).toEqual({
      outcome: 'restored',
      record: {
        id: CONTENT_ID,
        status: 'published',
        items: [{ id: 'item-1', type: 'video', rank: 1, summary: 'Intro', status: 'ok' }],
      },
      upstreamStatus: 200,
    });
    expect(world.platform.requests).toEqual([
      {
        contentId: CONTENT_ID,
        actingUser: ACTING_USER,
        accessToken: 'token-1',
        deadlineMs: NOON_MS + world.patienceMs,
      },
    ]);
    expect(world.tokens.calls.map(({ tenant }) => tenant)).toEqual([
      { environment: 'staging', platformRegion: 'mea', tenantId: TENANT_ID },
    ]);
  });

  test('counts the configured status as success, and no other 2xx', async () => {
    world.deployment = restoringDeploymentOf([TENANT_ID], { successStatus: 202 });
    world.platform.script.push(answerOf(202, recordOf()), answerOf(200, recordOf()));

    expect((await world.restore()).outcome).toBe('restored');
    expect((await world.restore()).outcome).toBe('unknownAfterAnswer');
  });
});

describe('nothing is sent, and no token asked for,', () => {
  test.each<[string, OutcomeName, () => ReturnType<RestoreFunction['restore']>]>([
    [
      'while the platform does not offer restore',
      'restoreUnavailable',
      () => {
        world.deployment = restoringDeploymentOf([TENANT_ID], { available: false });
        return world.restore();
      },
    ],
    ['for an unknown tenant', 'unknownTenant', () => world.restore(requestOf(), 'eu-west-2_Other')],
    ['for a tenant named by a prefix', 'unknownTenant', () => world.restore(requestOf(), 'eu-west-2_Acm')],
    ['for a tenant named like a property', 'unknownTenant', () => world.restore(requestOf(), '__proto__')],
    ['for no tenant', 'unknownTenant', () => world.restore(requestOf(), '')],
    ['without a body', 'malformedJson', () => world.restore(requestOf({ body: '' }))],
    ['without an acting user', 'invalidRequest', () => world.restore(requestOf({ body: {} }))],
    ['for another media type', 'unsupportedMediaType', () => world.restore(requestOf({ contentTypes: [] }))],
    ['for a large body', 'bodyTooLarge', () => world.restore(requestOf({ body: Buffer.alloc(16_385, ' ') }))],
    ['for a climbing id', 'invalidRequest', () => world.restore(requestOf({ contentId: '..' }))],
  ])('%s: %s', async (_, outcome, act) => {
    const result = await act();

    expect(result.outcome).toBe(outcome);
    expect(world.platform.requests).toEqual([]);
    expect(world.tokens.calls).toEqual([]);
  });
});

describe('one request only', () => {
  test.each<[string, UpstreamResult, OutcomeName]>([
    ['F28: is not sent at all', NOT_SENT, 'platformUnreachable'],
    ['F28: finds a failed dependency', answerOf(502), 'platformFailed'],
    ['F29: is sent and never answered', NO_ANSWER, 'unknownWithoutAnswer'],
    ['F30: is repeated by the caller and finds nothing archived', answerOf(409), 'notArchived'],
    ['F32: gets a 500', answerOf(500), 'unknownAfterAnswer'],
    ['F32: gets a 503', answerOf(503, '', '3'), 'unknownAfterAnswer'],
    ['F32: is redirected', answerOf(307), 'unknownAfterAnswer'],
    ['F32: gets an undocumented 418', answerOf(418), 'unknownAfterAnswer'],
    ['F32: gets an undocumented 204', answerOf(204), 'unknownAfterAnswer'],
    ['F32: gets a 200 that is unreadable', answerOf(200, '<html>'), 'unknownAfterAnswer'],
    ['F32: gets a 200 of another content', answerOf(200, recordOf('other')), 'unknownAfterAnswer'],
    ['F32: gets an answer over 1 MiB', UNREADABLE, 'unknownAfterAnswer'],
    ['is refused for its rights', answerOf(403), 'forbidden'],
    ['names no content', answerOf(404), 'contentNotFound'],
    ['has the wrong media type', answerOf(415), 'platformWantsOtherMediaType'],
    ['names an unknown author', answerOf(422), 'rejectedByPlatform'],
    ['is one too many', answerOf(429), 'tooManyRequests'],
  ])('%s', async (_, answer, outcome) => {
    world.platform.script.push(answer);

    const result = await world.restore();

    expect(result.outcome).toBe(outcome);
    expect(result.record).toBeUndefined();
    expect(world.platform.requests).toHaveLength(1);
    expect(world.tokens.calls).toHaveLength(1);
  });

  test('is sent for every answer but a 401, of all that there are', async () => {
    for (let status = 100; status < 600; status += 1) {
      world = new RestoreFunction();
      world.platform.always = () => answerOf(status);

      await world.restore();

      expect([status, world.platform.requests.length]).toEqual([status, status === 401 ? 2 : 1]);
    }
  });

  test('T12: restores once of 50 that are sent at the same time: the platform’s 409 is the guard', async () => {
    let isArchived = true;
    world.platform.always = (contentId) => {
      if (!isArchived) return answerOf(409);
      isArchived = false;
      return answerOf(200, recordOf(contentId));
    };

    const results = await Promise.all(Array.from({ length: 50 }, () => world.restore()));

    const outcomes = results.map(({ outcome }) => outcome).sort();
    expect(outcomes).toEqual([...Array<string>(49).fill('notArchived'), 'restored']);
    expect(world.platform.requests).toHaveLength(50);
  });
});

describe('a 401 of the platform (F31)', () => {
  test('makes for one other token and one more request, with the same content and acting user', async () => {
    world.platform.script.push(UNAUTHORIZED);

    const result = await world.restore();

    expect(result.outcome).toBe('restored');
    expect(world.tokens.calls.map(({ rejected }) => rejected)).toEqual([
      undefined,
      { accessToken: 'token-1' },
    ]);
    const [first, second] = world.platform.requests;
    expect(second).toEqual({ ...first, accessToken: 'token-2' });
  });

  test('that comes twice is a 502, and not asked a third time', async () => {
    world.platform.always = () => UNAUTHORIZED;

    const result = await world.restore();

    expect(result).toEqual({ outcome: 'platformRefusedToken', upstreamStatus: 401 });
    expect(world.platform.requests).toHaveLength(2);
    expect(world.tokens.calls).toHaveLength(2);
  });

  test.each<[string, UpstreamResult, OutcomeName]>([
    ['no answer', NO_ANSWER, 'unknownWithoutAnswer'],
    ['no connection', NOT_SENT, 'platformUnreachable'],
    ['a 500', answerOf(500), 'unknownAfterAnswer'],
    ['a 502', answerOf(502), 'platformFailed'],
    ['a 409', answerOf(409), 'notArchived'],
  ])('followed by %s ends there', async (_, answer, outcome) => {
    world.platform.script.push(UNAUTHORIZED, answer);

    const result = await world.restore();

    expect(result.outcome).toBe(outcome);
    expect(world.platform.requests).toHaveLength(2);
  });

  test('is not followed by a second request for which no time is left', async () => {
    world.platform.script.push(UNAUTHORIZED);
    world.tokens.latenciesMs.push(0, world.patienceMs - 2_999);

    const result = await world.restore();

    expect(result).toMatchObject({ outcome: 'tokenUnavailable', upstreamStatus: 401 });
    expect(world.platform.requests).toHaveLength(1);
  });

  test('is followed by one in the last moment that leaves it 3 s', async () => {
    world.platform.script.push(UNAUTHORIZED);
    world.tokens.latenciesMs.push(0, world.patienceMs - 3_000);

    const result = await world.restore();

    expect(result.outcome).toBe('restored');
    expect(world.platform.requests).toHaveLength(2);
  });

  test('is a 502 where no other token can be had', async () => {
    world.platform.script.push(UNAUTHORIZED);
    world.tokens.failures.push(undefined, new UpstreamTokenError('write_budget_spent', 'spent'));

    const result = await world.restore();

    expect(result).toEqual({ outcome: 'tokenUnavailable', reason: 'write_budget_spent: spent' });
    expect(world.platform.requests).toHaveLength(1);
  });
});

describe('a token', () => {
  test('that cannot be had is a 502 token_unavailable, with no request sent', async () => {
    world.tokens.failures.push(new UpstreamTokenError('credential_refused', 'the platform refused'));

    const result = await world.restore();

    expect(result).toEqual({
      outcome: 'tokenUnavailable',
      reason: 'credential_refused: the platform refused',
    });
    expect(OUTCOMES[result.outcome]).toMatchObject({ status: 502, code: 'token_unavailable' });
    expect(world.platform.requests).toEqual([]);
  });

  test.each(['access_denied', 'aws_not_configured', 'invalid_request', 'unknown_token_key'])(
    'that cannot be had by a fault of this function alone, %s, is the same answer and another outcome',
    async (code) => {
      world.tokens.failures.push(new UpstreamTokenError(code, 'why'));

      const { outcome } = await world.restore();

      expect(outcome).toBe('tokenOutOfReach');
      expect(OUTCOMES[outcome]).toEqual(OUTCOMES.tokenUnavailable);
    },
  );

  test('is wanted early enough to leave 3 s for the request', async () => {
    await world.restore();

    expect(world.tokens.calls[0]?.deadlineMs).toBe(NOON_MS + world.patienceMs - 3_000);
  });

  test('that came too late for a request is a 502, with no request sent', async () => {
    world.tokens.latenciesMs.push(world.patienceMs - 2_999);

    const result = await world.restore();

    expect(result.outcome).toBe('tokenUnavailable');
    expect(world.platform.requests).toEqual([]);
  });

  test('port that breaks is a bug, and no outcome', async () => {
    world.tokens.get = () => Promise.reject(new TypeError('bug'));

    await expect(world.restore()).rejects.toThrow(TypeError);
  });
});

describe('a wall clock that is set while the token is had', () => {
  const setMeanwhile = (setMs: number) => {
    const get = world.tokens.get.bind(world.tokens);
    world.tokens.get = (...call) => (world.clock.set(setMs), get(...call));
  };

  test('forward takes no time from the request', async () => {
    setMeanwhile(300_000);

    expect((await world.restore()).outcome).toBe('restored');
  });

  test('back gives the request no time that it has not', async () => {
    setMeanwhile(-300_000);
    world.tokens.latenciesMs.push(world.patienceMs - 2_999);

    expect((await world.restore()).outcome).toBe('tokenUnavailable');
    expect(world.platform.requests).toEqual([]);
  });
});

describe('Retry-After of a 429', () => {
  test.each<[string | undefined, number | undefined]>([
    ['7', 7],
    ['0', 0],
    ['1000000000', 60],
    [new Date(NOON_MS + 4_200).toUTCString(), 4],
    [new Date(NOON_MS - 60_000).toUTCString(), 0],
    ['-1', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('%s is passed on as %s s', async (header, expected) => {
    world.platform.script.push(answerOf(429, '', header));

    expect((await world.restore()).retryAfterSec).toBe(expected);
  });

  test('is not passed on with any other status, which must not be sent again', async () => {
    world.platform.script.push(answerOf(503, '', '7'), answerOf(409, '', '7'));

    expect((await world.restore()).retryAfterSec).toBeUndefined();
    expect((await world.restore()).retryAfterSec).toBeUndefined();
  });
});

test('whatever comes in and back, the status is one of the contract, and two requests are the most (G8)', async () => {
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

        expect(RESTORE_STATUSES).toContain(OUTCOMES[outcome].status);
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

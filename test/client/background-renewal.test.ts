import { createTokenSource, type TokenSource, type TokenSourceEvent } from '../../client';
import { workIsDone } from './support/client-clock';
import { FakeAws, KEY, MINUTE_MS, THROTTLED } from './support/fake-aws';
import { failureOf } from '../support/lambdas/failure-of';

let aws: FakeAws;
let events: TokenSourceEvent[];
let tokens: TokenSource;

/** A source with `token-1` in memory, valid for an hour less a second, because Date headers have whole seconds. */
beforeEach(async () => {
  aws = new FakeAws();
  aws.store(60 * MINUTE_MS);
  events = [];
  tokens = createTokenSource({ ...aws.options(), onEvent: (event) => events.push(event) });
  await tokens.getToken(KEY);
  aws.reads.length = events.length = 0;
});

const accessToken = async () => (await tokens.getToken(KEY)).accessToken;
/** Asks for a token and returns it after all background work is done. */
const accessTokenAfterWork = async () => {
  await tokens.getToken(KEY);
  await workIsDone();
  return accessToken();
};

test('serves a token from memory without AWS calls while it has 20 minutes left', async () => {
  aws.clock.advance(40 * MINUTE_MS - 1_000);

  expect(await accessTokenAfterWork()).toBe('token-1');
  expect(aws.reads).toEqual([]);
});

describe('below 20 minutes', () => {
  beforeEach(() => aws.clock.advance(40 * MINUTE_MS + 1));

  test('callers get the token in memory at once, and the first one triggers a read, without token-refresh', async () => {
    const answer = aws.holdAnswers();

    const answers = await Promise.all(Array.from({ length: 100 }, accessToken));
    answer();
    await workIsDone();

    expect(new Set(answers)).toEqual(new Set(['token-1']));
    expect(aws.reads).toHaveLength(1);
    expect(aws.invocations).toEqual([]);
  });

  test('the next calls get the token that the sweep has stored', async () => {
    aws.store(60 * MINUTE_MS);

    expect(await accessTokenAfterWork()).toBe('token-2');
    expect(aws.invocations).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(['renewing', 'token_changed']);
  });

  test('ignores a stored token that does not expire later', async () => {
    aws.store(19 * MINUTE_MS);

    expect(await accessTokenAfterWork()).toBe('token-1');
  });

  test.each([
    [0, 15_000],
    [1, 30_000],
  ])('repeats a vain read, with %p of the jitter after %p ms', async (jitter, quietMs) => {
    tokens = createTokenSource({ ...aws.options(), random: () => jitter });
    await accessTokenAfterWork();
    await accessTokenAfterWork();
    const { length } = aws.reads;
    aws.clock.advance(quietMs - 1);
    await accessTokenAfterWork();
    expect(aws.reads).toHaveLength(length);
    aws.clock.advance(1);
    await accessTokenAfterWork();
    expect(aws.reads).toHaveLength(length + 1);
  });

  test('repeats a background read in time even if the wall clock was set back', async () => {
    await accessTokenAfterWork();
    aws.clock.setOff(-60 * MINUTE_MS);
    aws.clock.advance(22_500);
    await accessTokenAfterWork();

    expect(aws.reads).toHaveLength(2);
  });
});

describe('below 10 minutes', () => {
  beforeEach(() => aws.clock.advance(50 * MINUTE_MS + 1));

  test('calls token-refresh too, and serves its token', async () => {
    expect(await accessTokenAfterWork()).toBe('token-2');
    expect(aws.reads).toHaveLength(2);
    expect(aws.invocations).toHaveLength(1);
  });

  test('does not call a busy token-refresh again until the next attempt', async () => {
    aws.refreshAnswers.push(THROTTLED);

    expect(await accessTokenAfterWork()).toBe('token-1');
    expect(aws.clock.sleptMs).toEqual([]);
    aws.clock.advance(30_000);
    expect(await accessTokenAfterWork()).toBe('token-2');
  });

  test('reports a failure of token-refresh, and keeps serving the token', async () => {
    aws.refreshAnswers.push({ ok: false, error: { code: 'platform_unavailable', message: 'down' } });

    expect(await accessTokenAfterWork()).toBe('token-1');
    const told = { key: KEY, lifeLeftSec: 598 };
    const message = expect.stringMatching(/: down$/) as string;
    expect(events).toEqual([
      { type: 'renewing', ...told },
      { type: 'renewal_failed', ...told, code: 'platform_unavailable', message },
    ]);
  });
});

describe('a throttled Secrets Manager', () => {
  beforeEach(() => (aws.failingReads = { times: Infinity, error: THROTTLED }));

  test('lets the token be served until its expiry, and then causes a typed error', async () => {
    aws.clock.advance(59 * MINUTE_MS + 1);

    for (let second = 0; second < 58; second += 1) {
      await expect(accessTokenAfterWork()).resolves.toBe('token-1');
      aws.clock.advance(1_000);
    }
    aws.clock.advance(1_000);

    expect(await failureOf(tokens.getToken(KEY))).toMatchObject({ code: 'store_unavailable' });
    expect(aws.reads.length).toBeLessThanOrEqual(4 + 3);
  });

  test('is tried three times for callers who wait for a first token', async () => {
    tokens = createTokenSource(aws.options());
    aws.failingReads.times = 2;

    await expect(accessToken()).resolves.toBe('token-1');
    expect(aws.reads).toHaveLength(3);
  });
});

test('an error of the caller’s own functions in the background breaks nothing', async () => {
  let isBroken = false;
  const secretId = () => {
    if (isBroken) throw new Error('a fault of the caller’s');
    return 'latchkey/staging/mea/eu-west-2_AbcdEfghI/token/content/api-write';
  };
  const onEvent = ({ type }: TokenSourceEvent) => {
    if (type === 'renewing') throw new Error('another');
    return Promise.reject(new Error('a later one')) as never;
  };
  tokens = createTokenSource({ ...aws.options(), secretId, onEvent });
  await tokens.getToken(KEY);
  isBroken = true;
  aws.clock.advance(55 * MINUTE_MS);

  expect(await accessTokenAfterWork()).toBe('token-1');
});

import { createTokenSource, type TokenSource, type TokenSourceEvent } from '../../client';
import { workIsDone } from './support/client-clock';
import { FakeAws, KEY, MINUTE_MS, THROTTLED } from './support/fake-aws';
import { failureOf } from './support/failure-of';

let aws: FakeAws;
let events: TokenSourceEvent[];
let tokens: TokenSource;

/** A source with `token-1` in memory, which lives for an hour; a second less as seen from here, since Date headers have whole seconds. */
beforeEach(async () => {
  aws = new FakeAws();
  aws.store(60 * MINUTE_MS);
  events = [];
  tokens = createTokenSource({ ...aws.options(), onEvent: (event) => events.push(event) });
  await tokens.getToken(KEY);
  aws.reads.length = events.length = 0;
});

const accessToken = async () => (await tokens.getToken(KEY)).accessToken;
/** The token that is served, once whatever was begun by asking for it is done. */
const accessTokenAfterWork = async () => {
  await tokens.getToken(KEY);
  await workIsDone();
  return accessToken();
};

test('a token in memory is served without a call of AWS while it has 20 minutes left', async () => {
  aws.clock.advance(40 * MINUTE_MS - 1_000);

  expect(await accessTokenAfterWork()).toBe('token-1');
  expect(aws.reads).toEqual([]);
});

test('warm calls give the very same object', async () => {
  const [first, second] = [tokens.getToken(KEY), tokens.getToken(KEY)];

  expect(await first).toBe(await second);
});

describe('below 20 minutes', () => {
  beforeEach(() => aws.clock.advance(40 * MINUTE_MS + 1));

  test('callers get the token in memory at once, while one of them has the secret read', async () => {
    let answer = () => undefined as void;
    aws.latency = () => new Promise((resolve) => (answer = resolve));

    const answers = await Promise.all(Array.from({ length: 100 }, accessToken));

    expect(new Set(answers)).toEqual(new Set(['token-1']));
    expect(aws.reads).toHaveLength(1);
    answer();
  });

  test('the next calls get what the sweep has stored', async () => {
    aws.store(60 * MINUTE_MS);

    expect(await accessTokenAfterWork()).toBe('token-2');
    expect(aws.invocations).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(['renewing', 'token_changed']);
  });

  test('a stored token that lives no longer is not taken', async () => {
    aws.store(19 * MINUTE_MS);

    expect(await accessTokenAfterWork()).toBe('token-1');
  });

  test('a stored token of another tenant is not taken', async () => {
    aws.store(60 * MINUTE_MS, { key: { ...KEY, tenantId: 'other' }, in: KEY });

    expect(await accessTokenAfterWork()).toBe('token-1');
  });

  test('token-refresh is not asked: the sweeps are on it', async () => {
    await accessTokenAfterWork();

    expect(aws.reads).toHaveLength(1);
    expect(aws.invocations).toEqual([]);
  });

  test('a fruitless look is repeated after 15 to 30 s, not earlier', async () => {
    await accessTokenAfterWork();
    aws.clock.advance(22_499);
    await accessTokenAfterWork();
    const early = aws.reads.length;
    aws.clock.advance(1);
    await accessTokenAfterWork();

    expect([early, aws.reads.length]).toEqual([1, 2]);
  });

  test.each([
    [0, 15_000],
    [1, 30_000],
  ])('and with %p of the jitter after %p ms', async (jitter, quietMs) => {
    tokens = createTokenSource({ ...aws.options(), random: () => jitter });
    await accessTokenAfterWork();
    await accessTokenAfterWork();
    const before = aws.reads.length;
    aws.clock.advance(quietMs - 1);
    await accessTokenAfterWork();
    const early = aws.reads.length;
    aws.clock.advance(1);
    await accessTokenAfterWork();

    expect([early, aws.reads.length]).toEqual([before, before + 1]);
  });

  test('a look is repeated in time though the wall clock was set back meanwhile', async () => {
    await accessTokenAfterWork();
    aws.clock.setOff(-60 * MINUTE_MS);
    aws.clock.advance(22_500);
    await accessTokenAfterWork();

    expect(aws.reads).toHaveLength(2);
  });
});

describe('below 10 minutes', () => {
  beforeEach(() => aws.clock.advance(50 * MINUTE_MS + 1));

  test('token-refresh is asked too, and its token taken', async () => {
    expect(await accessTokenAfterWork()).toBe('token-2');
    expect(aws.reads).toHaveLength(2);
    expect(aws.invocations).toHaveLength(1);
  });

  test('token-refresh is not asked where the sweep has stored a token meanwhile', async () => {
    aws.store(60 * MINUTE_MS);

    expect(await accessTokenAfterWork()).toBe('token-2');
    expect(aws.invocations).toEqual([]);
  });

  test('a busy token-refresh is left alone until the next look', async () => {
    aws.refreshAnswers.push(THROTTLED);

    const busy = await accessTokenAfterWork();
    const sleptMs = [...aws.clock.sleptMs];
    aws.clock.advance(30_000);
    const next = await accessTokenAfterWork();

    expect([busy, next]).toEqual(['token-1', 'token-2']);
    expect(sleptMs).toEqual([]);
  });

  test('a source that only reads serves on what it has', async () => {
    tokens = createTokenSource(aws.readOnlyOptions());

    expect(await accessTokenAfterWork()).toBe('token-1');
    expect(aws.invocations).toEqual([]);
  });

  test('a failure of token-refresh is told, and the token served on', async () => {
    aws.refreshAnswers.push({ ok: false, error: { code: 'platform_unavailable', message: 'down' } });

    expect(await accessTokenAfterWork()).toBe('token-1');
    expect(events).toEqual([
      { type: 'renewing', key: KEY, lifeLeftSec: 598 },
      {
        type: 'renewal_failed',
        key: KEY,
        lifeLeftSec: 598,
        code: 'platform_unavailable',
        message: expect.stringMatching(/: down$/) as string,
      },
    ]);
  });
});

describe('Secrets Manager that is throttled', () => {
  beforeEach(() => (aws.failingReads = { times: Infinity, error: THROTTLED }));

  test('costs nobody anything while the token lives, and a call now and then', async () => {
    aws.clock.advance(40 * MINUTE_MS + 1);

    for (let second = 0; second < 18 * 60; second += 1) {
      await expect(accessTokenAfterWork()).resolves.toBe('token-1');
      aws.clock.advance(1_000);
    }

    expect(aws.reads.length).toBeGreaterThan(10);
    expect(aws.reads.length).toBeLessThanOrEqual((18 * 60) / 22.5);
  });

  test('has the token served to its very end, and is a typed failure then', async () => {
    aws.clock.advance(59 * MINUTE_MS + 1);

    for (let second = 0; second < 58; second += 1) {
      await expect(accessTokenAfterWork()).resolves.toBe('token-1');
      aws.clock.advance(1_000);
    }
    aws.clock.advance(1_000);

    expect(await failureOf(tokens.getToken(KEY))).toMatchObject({ code: 'store_unavailable' });
    expect(aws.reads.length).toBeLessThanOrEqual(4 + 3);
  });

  test('has callers who wait for a first token try three times', async () => {
    tokens = createTokenSource(aws.options());
    aws.failingReads.times = 2;

    await expect(accessToken()).resolves.toBe('token-1');
    expect(aws.reads).toHaveLength(3);
  });
});

test('a fault of the caller’s own functions in the background breaks nothing', async () => {
  let isBroken = false;
  const secretId = () => {
    if (isBroken) throw new Error('a fault of the caller’s');
    return 'latchkey/staging/mea/eu-west-2_AbcdEfghI/token/content/api-write';
  };
  const onEvent = () => {
    throw new Error('another');
  };
  tokens = createTokenSource({ ...aws.options(), secretId, onEvent });
  await tokens.getToken(KEY);
  isBroken = true;
  aws.clock.advance(55 * MINUTE_MS);

  expect(await accessTokenAfterWork()).toBe('token-1');
});

test('a process frozen for an hour wakes up with nothing to serve, and reads anew', async () => {
  aws.clock.freeze(60 * MINUTE_MS);
  aws.store(60 * MINUTE_MS);

  expect(await accessToken()).toBe('token-2');
});

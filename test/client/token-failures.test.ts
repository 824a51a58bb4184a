import { createTokenSource, type TokenSource, TokenUnavailableError } from '../../client';
import { FakeAws, KEY, MINUTE_MS } from './support/fake-aws';
import { failureOf } from '../support/lambdas/failure-of';

let aws: FakeAws;
let tokens: TokenSource;
beforeEach(() => {
  aws = new FakeAws();
  tokens = createTokenSource(aws.options());
});

const get = () => tokens.getToken(KEY);
const failing = (error: object) => aws.refreshAnswers.push({ ok: false, error } as never);

describe('a failure', () => {
  test('of token-refresh is thrown with its code, its wait and the key', async () => {
    failing({ code: 'credential_refused', message: 'the platform refused the pair', retryAfterSec: 60 });

    const failure = await failureOf(get());

    expect(failure).toBeInstanceOf(TokenUnavailableError);
    expect(failure).toMatchObject({
      code: 'credential_refused',
      retryAfterSec: 60,
      message:
        'no token content api/write of tenant eu-west-2_AbcdEfghI in staging-mea: the platform refused the pair',
    });
  });

  test.each<[string, object]>([
    ['crashes', { FunctionError: 'Unhandled', Payload: Buffer.from('{"errorMessage":"token-1"}') }],
    ['answers nothing', {}],
    ['answers something else', { Payload: Buffer.from('"token-1"') }],
    ['answers with an unknown code', { Payload: Buffer.from('{"ok":false,"error":{"code":"x"}}') }],
  ])('of a token-refresh that %s is typed, and causes no retry', async (_, raw) => {
    aws.refreshAnswers.push({ raw });

    expect(await failureOf(get())).toMatchObject({
      code: 'token_refresh_unavailable',
      reason: 'token-refresh failed',
    });
    expect(aws.invocations).toHaveLength(1);
  });

  test('is remembered for as long as token-refresh says, so that a loop of calls costs nothing', async () => {
    failing({ code: 'platform_unavailable', message: 'down', retryAfterSec: 10 });
    await failureOf(get());
    aws.clock.advance(9_001);

    const failures = await Promise.all(Array.from({ length: 200 }, () => failureOf(get())));

    expect(failures[199]).toMatchObject({ code: 'platform_unavailable', retryAfterSec: 1 });
    expect(aws.invocations).toHaveLength(1);
    // Another process may have stored a token in the meantime, so the secret is read once more.
    expect(aws.reads).toHaveLength(2);
  });

  test('of token-refresh does not hide a token that another process stored', async () => {
    failing({ code: 'credential_refused', message: 'why', retryAfterSec: 60 });
    await failureOf(get());
    aws.store(60 * MINUTE_MS);
    aws.clock.advance(1_000);

    await expect(get()).resolves.toMatchObject({ accessToken: 'token-1' });
  });

  test.each<[string, number | undefined, number]>([
    ['one second without retryAfterSec', undefined, 1],
    ['as long as retryAfterSec', 30, 30],
    ['a minute at most', 3_600, 60],
  ])('is remembered for %s', async (_, retryAfterSec, forSec) => {
    failing({ code: 'platform_unavailable', message: 'down', retryAfterSec });
    await failureOf(get());

    aws.clock.advance(forSec * 1000 - 1);
    expect(await failureOf(get())).toMatchObject({ code: 'platform_unavailable' });
    // Without a read for one more second.
    aws.clock.advance(1_000);
    expect(await get()).toMatchObject({ accessToken: 'token-1' });
  });

  test('to answer in time affects only that caller: the flight continues for the others', async () => {
    aws.clock.wakesSleepers = false;
    const answer = aws.holdAnswers();
    aws.store(60 * MINUTE_MS);
    const patient = get();
    aws.clock.wakesSleepers = true;
    const failure = await failureOf(tokens.getToken(KEY, { timeoutMs: 50 }));
    answer();

    expect(failure).toMatchObject({ code: 'timeout', reason: 'none within 50 ms' });
    expect((await patient).accessToken).toBe('token-1');
    expect(aws.reads).toHaveLength(1);
  });

  test('to answer at all causes a timeout after 25 s', async () => {
    aws.latency = () => new Promise(() => undefined);

    expect(await failureOf(get())).toMatchObject({ code: 'timeout' });
    expect(aws.clock.sleptMs).toEqual([25_000]);
  });
});

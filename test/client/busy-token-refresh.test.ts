import { createTokenSource } from '../../client';
import { FakeAws, KEY, MINUTE_MS, THROTTLED } from './support/fake-aws';
import { failureOf } from '../support/lambdas/failure-of';

let aws: FakeAws;
beforeEach(() => (aws = new FakeAws()));

const get = () => createTokenSource(aws.options()).getToken(KEY);

describe('a busy token-refresh', () => {
  test('is called again after growing waits, with a read of the secret after each', async () => {
    aws.refreshAnswers.push(THROTTLED, THROTTLED, THROTTLED);

    expect(await get()).toMatchObject({ accessToken: 'token-1' });
    expect(aws.clock.sleptMs).toEqual([50, 100, 200]);
    expect(aws.invocations).toHaveLength(4);
    expect(aws.reads).toHaveLength(5);
  });

  test('is not called again once another caller’s renewal is stored', async () => {
    aws.refreshAnswers.push(THROTTLED);
    aws.latency = async () => {
      if (aws.invocations.length === 1 && aws.reads.length === 1) aws.store(60 * MINUTE_MS);
    };

    expect(await get()).toMatchObject({ accessToken: 'token-1' });
    expect(aws.invocations).toHaveLength(1);
  });

  test('is given up after 20 s', async () => {
    aws.refreshAnswers.push(...Array.from({ length: 100 }, () => THROTTLED));
    const startedAtMs = aws.clock.trueMs;

    expect(await failureOf(get())).toMatchObject({
      code: 'token_refresh_unavailable',
      reason: 'token-refresh is still busy or unreachable',
    });
    const tookMs = aws.clock.trueMs - startedAtMs;
    expect(tookMs).toBeGreaterThan(18_000);
    expect(tookMs).toBeLessThanOrEqual(20_000);
    expect(Math.max(...aws.clock.sleptMs)).toBe(0.5 * 2_000);
  });

  test('is called again if its kept connection was closed', async () => {
    aws.refreshAnswers.push(Object.assign(new Error('read'), { code: 'ECONNRESET' }));

    expect(await get()).toMatchObject({ accessToken: 'token-1' });
  });
});

describe('a secret that returns the old version for a while', () => {
  test('is read again with growing waits, and token-refresh is not called again', async () => {
    aws.store(-1);
    aws.staleReads = 4;

    expect(await get()).toMatchObject({ accessToken: 'token-2' });
    expect(aws.clock.sleptMs).toEqual([50, 100, 200, 400]);
    expect(aws.invocations).toHaveLength(1);
  });

  test('is given up after six reads', async () => {
    aws.store(-1);
    aws.staleReads = Infinity;

    expect(await failureOf(get())).toMatchObject({ code: 'no_usable_token' });
    expect(aws.reads).toHaveLength(1 + 6);
  });

  test('is not read again if it already shows the version that token-refresh returned', async () => {
    aws.store(-1);
    aws.refreshAnswers.push({ ok: true, arn: 'a', versionId: 'version-1', expiresAt: 'x', refreshed: false });

    expect(await failureOf(get())).toMatchObject({ code: 'no_usable_token' });
    expect(aws.reads).toHaveLength(2);
  });
});

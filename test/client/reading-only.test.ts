import { createTokenSource } from '../../client';
import { FakeAws, KEY, THROTTLED } from './support/fake-aws';
import { failureOf } from '../support/lambdas/failure-of';

let aws: FakeAws;
beforeEach(() => (aws = new FakeAws()));

describe('a read-only token source', () => {
  let tokens: ReturnType<typeof createTokenSource>;
  beforeEach(() => (tokens = createTokenSource(aws.readOnlyOptions())));

  test('serves a short-lived token until it expires, and reads the secret only occasionally', async () => {
    aws.store(30_000);

    const first = await tokens.getToken(KEY);
    aws.clock.advance(20_000);
    aws.store(30_000);
    const second = await tokens.getToken(KEY);
    aws.clock.advance(2_501);
    const third = await tokens.getToken(KEY);

    expect([first, second, third].map(({ accessToken }) => accessToken)).toEqual([
      'token-1',
      'token-1',
      'token-2',
    ]);
    expect(aws.reads).toHaveLength(2);
  });

  test('does not serve one that has expired', async () => {
    aws.store(30_000);
    await tokens.getToken(KEY);
    aws.clock.advance(30_000);

    expect(await failureOf(tokens.getToken(KEY))).toMatchObject({ code: 'no_usable_token' });
  });

  test('keeps serving an unexpired one while Secrets Manager is throttled', async () => {
    aws.store(90_000);
    await tokens.getToken(KEY);
    aws.clock.advance(60_000);
    aws.failingReads = { times: Infinity, error: THROTTLED };

    const answers = [await tokens.getToken(KEY), await tokens.getToken(KEY)];

    expect(answers.map(({ accessToken }) => accessToken)).toEqual(['token-1', 'token-1']);
    // One read when it was due, one when it was too short-lived.
    expect(aws.reads).toHaveLength(2);
  });

  test('finds no token if none was ever stored', async () => {
    expect(await failureOf(tokens.getToken(KEY))).toMatchObject({ code: 'not_found' });
  });
});

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

    expect(await tokens.getToken(KEY)).toMatchObject({ accessToken: 'token-1' });
    aws.clock.advance(20_000);
    aws.store(30_000);
    expect(await tokens.getToken(KEY)).toMatchObject({ accessToken: 'token-1' });
    aws.clock.advance(2_501);
    expect(await tokens.getToken(KEY)).toMatchObject({ accessToken: 'token-2' });
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

    for (let call = 0; call < 2; call += 1)
      expect(await tokens.getToken(KEY)).toMatchObject({ accessToken: 'token-1' });
    // One read when it was due, one when it was too short-lived.
    expect(aws.reads).toHaveLength(2);
  });

  test('finds no token if none was ever stored', async () => {
    expect(await failureOf(tokens.getToken(KEY))).toMatchObject({ code: 'not_found' });
  });
});

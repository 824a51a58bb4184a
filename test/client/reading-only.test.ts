import { createTokenSource } from '../../client';
import { FakeAws, KEY, THROTTLED } from './support/fake-aws';
import { failureOf } from './support/failure-of';

let aws: FakeAws;
beforeEach(() => (aws = new FakeAws()));

describe('a token source that only reads', () => {
  let tokens: ReturnType<typeof createTokenSource>;
  beforeEach(() => (tokens = createTokenSource(aws.readOnlyOptions())));

  test('serves a token of a short life while it is unexpired, and looks for another only now and then', async () => {
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

  test('serves the unexpired one on while Secrets Manager is throttled', async () => {
    aws.store(90_000);
    await tokens.getToken(KEY);
    aws.clock.advance(60_000);
    aws.failingReads = { times: Infinity, error: THROTTLED };

    const answers = [await tokens.getToken(KEY), await tokens.getToken(KEY)];

    expect(answers.map(({ accessToken }) => accessToken)).toEqual(['token-1', 'token-1']);
    // One when it came due, one when its life got too short.
    expect(aws.reads).toHaveLength(2);
  });

  test('finds no token where none was ever stored', async () => {
    expect(await failureOf(tokens.getToken(KEY))).toMatchObject({ code: 'not_found' });
  });
});

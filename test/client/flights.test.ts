import { createTokenSource, type TokenSource } from '../../client';
import { workIsDone } from './support/client-clock';
import { FakeAws, KEY, MINUTE_MS } from './support/fake-aws';
import { failureOf } from '../support/lambdas/failure-of';

let aws: FakeAws;
let tokens: TokenSource;

beforeEach(() => {
  aws = new FakeAws();
  tokens = createTokenSource(aws.options());
});

test('callers do not join a flight that was interrupted when the process was frozen', async () => {
  const answerLate = aws.holdAnswers();
  await failureOf(tokens.getToken(KEY, { timeoutMs: 1_000 }));
  aws.clock.freeze(30 * MINUTE_MS);
  aws.latency = () => Promise.resolve();
  aws.store(60 * MINUTE_MS);

  expect(await tokens.getToken(KEY)).toMatchObject({ accessToken: 'token-1' });
  answerLate();
  await workIsDone();
  expect(await tokens.getToken(KEY)).toMatchObject({ accessToken: 'token-1' });
});

test('a refusal waits for a running background renewal, so that a process calls token-refresh once at a time', async () => {
  aws.store(60 * MINUTE_MS);
  await tokens.getToken(KEY);
  aws.clock.advance(51 * MINUTE_MS);
  aws.clock.wakesSleepers = false;
  const answer = aws.holdAnswers();
  await tokens.getToken(KEY);
  const replaced = tokens.getToken(KEY, { refused: 'token-1' });
  await workIsDone();

  expect(aws.reads).toHaveLength(2);
  answer();
  expect((await replaced).accessToken).toBe('token-2');
  expect(aws.invocations).toHaveLength(1);
});

test('a caller gets an error if others refuse every next token', async () => {
  const refusals = new Set<string>();
  let isOver = false;
  const nameOfStored = () => `token-${aws.invocations.length}`;
  const stubborn = createTokenSource({
    ...aws.options(),
    onEvent: ({ type }) => {
      if (isOver || type !== 'token_changed' || refusals.has(nameOfStored())) return;
      refusals.add(nameOfStored());
      void stubborn.getToken(KEY, { refused: nameOfStored() }).catch(() => undefined);
    },
  });

  const failure = await failureOf(stubborn.getToken(KEY));
  // Otherwise each refusal brings another token, without an end.
  isOver = true;

  expect(failure).toMatchObject({ code: 'no_usable_token', reason: 'every new token is refused' });
});

test('gives up an AWS client that never answers, and a later call for the key works', async () => {
  const timeout = AbortSignal.abort(new DOMException('over', 'TimeoutError'));
  jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout);
  aws.latency = () => new Promise(() => undefined);
  tokens = createTokenSource(aws.readOnlyOptions());
  aws.store(60 * MINUTE_MS);

  const first = tokens.getToken(KEY);
  aws.latency = () => Promise.resolve();

  await expect(first).resolves.toMatchObject({ tokenType: 'Bearer' });
  expect(aws.reads).toHaveLength(2);
});

test.each([undefined, null, 'key', 7])(
  'an invalid key %p causes a rejection, not a synchronous throw',
  async (key) => {
    expect(await failureOf(tokens.getToken(key as never))).toMatchObject({
      name: 'TypeError',
      message: expect.stringContaining('environment: found nothing; allowed: staging, production') as string,
    });
  },
);

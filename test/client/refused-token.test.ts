import { createTokenSource, type TokenSource, type TokenSourceEvent } from '../../client';
import { sha256Hex } from '../../core/secrets/sha256';
import { workIsDone } from './support/client-clock';
import { FakeAws, KEY, MINUTE_MS } from './support/fake-aws';
import { failureOf } from '../support/lambdas/failure-of';

let aws: FakeAws;
let events: TokenSourceEvent[];
let tokens: TokenSource;

/** A source with `token-1` in memory, which the platform refuses from now on. */
beforeEach(async () => {
  aws = new FakeAws();
  aws.store(60 * MINUTE_MS);
  events = [];
  tokens = createTokenSource({ ...aws.options(), onEvent: (event) => events.push(event) });
  await tokens.getToken(KEY);
  aws.reads.length = events.length = 0;
});

const current = async () => (await tokens.getToken(KEY)).accessToken;
const another = async () => (await tokens.getToken(KEY, { refused: 'token-1' })).accessToken;
const digests = () => aws.invocations.map(({ event }) => event.rejectedTokenSha256);

test('asks token-refresh for another token by the digest of the refused one', async () => {
  expect(await another()).toBe('token-2');
  expect(digests()).toEqual([sha256Hex('token-1')]);
});

test('returns another token that is already stored, without calling token-refresh', async () => {
  aws.store(60 * MINUTE_MS);

  expect(await another()).toBe('token-2');
  expect(digests()).toEqual([]);
});

test('1,000 callers with the same refused token cause one read, one invocation and one more read', async () => {
  aws.clock.wakesSleepers = false;
  aws.latency = workIsDone;

  const answers = await Promise.all(Array.from({ length: 1_000 }, another));

  expect(new Set(answers)).toEqual(new Set(['token-2']));
  expect([aws.reads.length, aws.invocations.length]).toEqual([2, 1]);
  expect(events.map(({ type }) => type)).toEqual(['token_refused', 'token_changed']);
});

test('callers who did not report the refusal wait for the other token, too', async () => {
  expect(await Promise.all([another(), current()])).toEqual(['token-2', 'token-2']);
  expect(aws.invocations).toHaveLength(1);
});

test('a token refused at any moment of a flight is not returned to later callers', async () => {
  for (let moment = 0; moment < 40; moment += 1) {
    const refused = `refused-${moment}`;
    tokens = createTokenSource(aws.options());
    aws.store(60 * MINUTE_MS, { accessToken: refused });
    const reading = tokens.getToken(KEY);
    for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();

    const later = [tokens.getToken(KEY, { refused })];
    for (let turn = 0; turn < 40; turn += 1) {
      await Promise.resolve();
      later.push(tokens.getToken(KEY));
    }

    const given = (await Promise.all(later)).map(({ accessToken }) => accessToken);
    await reading;
    expect(given).not.toContain(refused);
  }
});

test('a background renewal that reads the refused token asks token-refresh for another one', async () => {
  const longer = aws.store(120 * MINUTE_MS);
  await another();
  aws.store(60 * MINUTE_MS);
  await tokens.getToken(KEY, { refused: longer });
  aws.invocations.length = 0;
  aws.store(120 * MINUTE_MS, { accessToken: longer });

  aws.clock.advance(52 * MINUTE_MS);
  await tokens.getToken(KEY);
  await workIsDone();

  expect(digests()).toEqual([sha256Hex(longer)]);
});

test('a background renewal does not keep the refused token', async () => {
  tokens = createTokenSource(aws.readOnlyOptions());
  await tokens.getToken(KEY);
  aws.store(15 * MINUTE_MS);
  expect(await another()).toBe('token-2');
  aws.store(45 * MINUTE_MS, { accessToken: 'token-1' });

  await current();
  await workIsDone();

  expect(await current()).toBe('token-2');
});

test('does not serve the refused token again if the other one has expired and the store shows it once more', async () => {
  await another();
  aws.clock.advance(60 * MINUTE_MS);
  aws.store(60 * MINUTE_MS, { accessToken: 'token-1' });

  expect(await current()).toBe('token-3');
  expect(digests()).toEqual(Array(2).fill(sha256Hex('token-1')));
});

test('does not serve the refused token even if token-refresh calls it usable', async () => {
  aws.refreshAnswers.push({ ok: true, arn: 'a', versionId: 'version-1', expiresAt: 'x', refreshed: false });

  expect(await failureOf(another())).toMatchObject({ code: 'no_usable_token' });
});

test('a read-only source looks for another token, and keeps serving the refused one if there is none', async () => {
  tokens = createTokenSource(aws.readOnlyOptions());
  await tokens.getToken(KEY);

  expect(await another()).toBe('token-1');
  aws.clock.advance(60_000);
  aws.store(60 * MINUTE_MS);
  expect(await another()).toBe('token-2');
});

test('1,000 made-up refusals cost nothing, and the real one is not forgotten', async () => {
  await another();
  aws.reads.length = 0;

  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => tokens.getToken(KEY, { refused: `made-up-${index}` })),
  );

  expect(new Set(answers.map(({ accessToken }) => accessToken))).toEqual(new Set(['token-2']));
  expect([aws.reads.length, aws.invocations.length]).toEqual([0, 1]);
});

test('the same token is kept under another key until it is reported as refused there too', async () => {
  const other = { ...KEY, tenantId: 'other' };
  aws.store(60 * MINUTE_MS, { key: other, accessToken: 'token-1' });
  await tokens.getToken(other);

  await another();
  expect(await tokens.getToken(other)).toMatchObject({ accessToken: 'token-1' });
  expect(await tokens.getToken(other, { refused: 'token-1' })).toMatchObject({ accessToken: 'token-3' });
  expect(await tokens.getToken(other)).toMatchObject({ accessToken: 'token-3' });
});

describe('with a spent write budget for forced renewals', () => {
  const error = { code: 'write_budget_spent', message: 'renewed too often', retryAfterSec: 3_600 } as const;
  beforeEach(() => void aws.refreshAnswers.push({ ok: false, error }));

  test('the refused token is still served, and token-refresh is not called again for a minute', async () => {
    for (let second = 0; second < 59; second += 1) {
      expect([await another(), await current()]).toEqual(['token-1', 'token-1']);
      aws.clock.advance(1_000);
    }

    expect(aws.invocations).toHaveLength(1);
  });

  test('a token stored in the meantime is used at the next refusal after a minute', async () => {
    await another();
    aws.clock.advance(60_000);
    aws.store(60 * MINUTE_MS);

    expect(await another()).toBe('token-2');
  });

  test('an expired token is not served', async () => {
    aws.clock.advance(61 * MINUTE_MS);

    expect(await failureOf(another())).toMatchObject({ code: 'write_budget_spent', retryAfterSec: 3_600 });
  });
});

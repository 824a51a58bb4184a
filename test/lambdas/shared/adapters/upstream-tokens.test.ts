import { createTokenSource } from '../../../../client';
import { ClientUpstreamTokens } from '../../../../lambdas/shared/adapters/upstream-tokens';
import { sha256Hex } from '../../../../core/secrets/sha256';
import { UpstreamTokenError } from '../../../../core/tokens/upstream-token-error';
import { ClientClock } from '../../../client/support/client-clock';
import { failureOf } from '../../../support/lambdas/failure-of';
import { FakeAws, KEY, MINUTE_MS } from '../../../client/support/fake-aws';

const { tenantId } = KEY;
const TENANT = { environment: 'staging', platformRegion: 'mea', tenantId } as const;

let clock: ClientClock;
let aws: FakeAws;
let tokens: ClientUpstreamTokens;

beforeEach(() => {
  clock = new ClientClock();
  aws = new FakeAws(clock);
  tokens = new ClientUpstreamTokens(createTokenSource(aws.options()), clock);
});

const get = (rejected?: { accessToken: string }, leftMs = 23_500) =>
  tokens.get(TENANT, clock.monotonicMs() + leftMs, rejected);

test('the upstream token is the tenant’s content token api/write', async () => {
  const stored = aws.store(60 * MINUTE_MS);

  expect((await get()).accessToken).toBe(stored);
  expect(aws.reads).toEqual([`latchkey/staging/mea/${tenantId}/token/content/api-write`]);
  expect(aws.invocations).toEqual([]);
});

test('returns another token after a refusal, which is reported by digest', async () => {
  const refused = aws.store(60 * MINUTE_MS);
  await get();

  expect(await get({ accessToken: refused })).toMatchObject({ accessToken: 'token-2' });
  expect(aws.invocations).toMatchObject([{ event: { rejectedTokenSha256: sha256Hex(refused) } }]);
});

test.each([
  ['until the deadline, and no longer', 4_000, 4_000],
  ['for a moment if the deadline has passed', -1, 1],
  ['for the library’s maximum timeout if the deadline is later', 10_000_000, 600_000],
])('waits for a token %s', async (_, leftMs, waitedMs) => {
  aws.latency = clock.sleep.bind(clock, 10_000_000);

  const failure = await failureOf(get(undefined, leftMs));

  expect(failure).toBeInstanceOf(UpstreamTokenError);
  expect(failure).toMatchObject({ code: 'timeout' });
  expect(clock.sleptMs).toEqual([waitedMs]);
});

test('throws the code and message of token-refresh if there is no token', async () => {
  const message = 'no client credentials are loaded';
  aws.refreshAnswers.push({ ok: false, error: { code: 'not_loaded', message } });

  expect(await failureOf(get())).toMatchObject({
    code: 'not_loaded',
    message: expect.stringContaining(message) as string,
  });
});

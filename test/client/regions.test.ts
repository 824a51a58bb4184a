import { InternalServiceError } from '@aws-sdk/client-secrets-manager';

import { createTokenSource, type TokenSourceEvent, type TokenSourceOptions } from '../../client';
import { workIsDone } from './support/client-clock';
import { FakeAws, KEY, MINUTE_MS, REFRESH_ARN } from './support/fake-aws';
import { failureOf } from '../support/lambdas/failure-of';

/** The deployment's region, in which token-refresh is. */
const PRIMARY = 'eu-west-2';
const REPLICA = 'eu-central-1';
const serverError = new InternalServiceError({ message: 'down', $metadata: { httpStatusCode: 503 } });
const named = (name: string, more: object = {}) => Object.assign(new Error(name), { name }, more);

let primary: FakeAws;
let replica: FakeAws;
let events: TokenSourceEvent[];

beforeEach(() => {
  primary = new FakeAws();
  replica = new FakeAws(primary.clock);
  events = [];
});

/** Stores `token-1` in both regions. */
const storeBoth = (lifeMs: number) => {
  for (const region of [primary, replica]) region.store(lifeMs, { accessToken: 'token-1' });
};
const sourceOf = (options: TokenSourceOptions = {}) =>
  createTokenSource({
    regions: [PRIMARY, REPLICA],
    secretsManagerIn: (region) => (region === PRIMARY ? primary : replica).secretsManager,
    clock: primary.clock,
    random: () => 0.5,
    onEvent: (event) => void events.push(event),
    ...options,
  });
const get = (options?: TokenSourceOptions) => sourceOf(options).getToken(KEY);
const fail = (aws: FakeAws, error: Error) => (aws.failingReads = { times: Infinity, error });
const recover = (aws: FakeAws) => (aws.failingReads.times = 0);
const regionChanges = () => events.filter(({ type }) => type === 'region_changed');

describe('tokens of several regions', () => {
  test('are read in the first one alone while it answers, and say so', async () => {
    storeBoth(60 * MINUTE_MS);

    expect(await get()).toMatchObject({ accessToken: 'token-1', region: PRIMARY });
    expect(replica.reads).toEqual([]);
    expect(events).toMatchObject([{ type: 'token_changed', region: PRIMARY, lifeLeftSec: 60 * 60 - 1 }]);
  });

  test.each<[string, Error]>([
    ['throttling', named('ThrottlingException')],
    ['an error of the service', serverError],
    ['a broken connection', named('Error', { code: 'ECONNRESET' })],
    ['a timeout', named('TimeoutError')],
  ])('are read in the next one after %s, which is said', async (_, error) => {
    storeBoth(30 * MINUTE_MS);
    fail(primary, error);

    expect(await get()).toMatchObject({ accessToken: 'token-1', region: REPLICA });
    const reason = expect.stringMatching(new RegExp(`${error.name}.* in ${PRIMARY}$`)) as string;
    expect(events).toMatchObject([
      { type: 'region_changed', from: PRIMARY, to: REPLICA, reason },
      { type: 'token_changed', region: REPLICA, lifeLeftSec: 30 * 60 - 1 },
    ]);
  });

  test('that a region does not answer in 2 s are read in the next one', async () => {
    storeBoth(60 * MINUTE_MS);
    primary.latency = () => new Promise(() => undefined);
    const over = AbortSignal.abort(new DOMException('over', 'TimeoutError'));
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(over);

    expect(await get()).toMatchObject({ region: REPLICA });

    expect(timeout.mock.calls).toEqual([[2_000], [10_000]]);
    timeout.mockRestore();
  });

  test.each<[string, () => void, string]>([
    ['a denial', () => fail(primary, named('AccessDeniedException')), 'access_denied'],
    ['a missing secret', () => undefined, 'not_found'],
    ['missing credentials', () => fail(primary, named('CredentialsProviderError')), 'aws_not_configured'],
  ])('are not looked for in another one after %s', async (_, prepare, code) => {
    replica.store(60 * MINUTE_MS);
    prepare();

    expect(await failureOf(get())).toMatchObject({ code });
    expect(replica.reads).toEqual([]);
  });

  test('are looked for in a region that failed before if the next one denies', async () => {
    storeBoth(60 * MINUTE_MS);
    fail(primary, serverError);
    fail(replica, named('AccessDeniedException'));
    const source = sourceOf();
    await failureOf(source.getToken(KEY));
    recover(primary);
    primary.clock.advance(2_000);

    await expect(source.getToken(KEY)).resolves.toMatchObject({ region: PRIMARY });
  });

  test('name every region if none answers', async () => {
    fail(primary, serverError);
    fail(replica, named('ThrottlingException'));

    expect(await failureOf(get())).toMatchObject({
      code: 'store_unavailable',
      reason: expect.stringMatching(
        /InternalServiceError in eu-west-2; .*ThrottlingException in eu-central-1/,
      ) as string,
    });
  });

  test('are not called missing because a replica is missing while the first region fails', async () => {
    fail(primary, serverError);

    expect(await failureOf(get())).toMatchObject({ code: 'store_unavailable' });
  });

  test('leave a region alone for a minute, and return to it', async () => {
    storeBoth(5 * MINUTE_MS);
    fail(primary, serverError);
    const tokens = sourceOf({ minValiditySec: 0 });
    await tokens.getToken(KEY);
    const { length } = primary.reads;
    recover(primary);
    const renewedAfter = async (ms: number) => {
      primary.clock.advance(ms);
      await tokens.getToken(KEY);
      await workIsDone();
      return events.at(-1);
    };

    replica.store(6 * MINUTE_MS, { accessToken: 'token-2' });
    expect(await renewedAfter(59_999)).toMatchObject({ type: 'token_changed', region: REPLICA });
    expect(primary.reads).toHaveLength(length);
    primary.store(60 * MINUTE_MS, { accessToken: 'token-3' });
    expect(await renewedAfter(1)).toMatchObject({ type: 'token_changed', region: PRIMARY });

    expect(regionChanges()).toEqual([
      expect.objectContaining({ from: PRIMARY, to: REPLICA }),
      { type: 'region_changed', from: REPLICA, to: PRIMARY },
    ]);
  });

  test.each([
    ['in the next region', [REPLICA, PRIMARY], 60 * MINUTE_MS, -MINUTE_MS],
    ['in the first region, if none lasts long enough', [PRIMARY, REPLICA], 50_000, 30_000],
  ])('of a replica that lags behind are read %s', async (_, regions, newerMs, olderMs) => {
    primary.store(newerMs, { accessToken: 'newer' });
    replica.store(olderMs, { accessToken: 'older' });

    expect(await get({ regions })).toMatchObject({ accessToken: 'newer', region: PRIMARY });
    expect(regionChanges()).toEqual([]);
  });

  test('that expired in every region that answers are never returned', async () => {
    replica.store(-1);
    fail(primary, serverError);

    expect(await failureOf(get())).toMatchObject({
      code: 'no_usable_token',
      reason: expect.stringContaining('expires at') as string,
    });
  });

  test('do not wait for token-refresh in a region that just failed', async () => {
    storeBoth(30_000);
    fail(primary, serverError);

    expect(await get({ tokenRefresh: REFRESH_ARN, lambda: primary.lambda })).toMatchObject({
      accessToken: 'token-1',
      region: REPLICA,
    });

    expect(primary.invocations).toEqual([]);
    expect(events.at(-1)).toMatchObject({
      type: 'renewal_failed',
      code: 'token_refresh_unavailable',
      message: expect.stringContaining('token-refresh is in eu-west-2, which does not answer') as string,
    });
  });

  test('ask token-refresh while its region answers, and find the new token there before it is replicated', async () => {
    storeBoth(30_000);
    const regions = [REPLICA, PRIMARY];

    expect(await get({ regions, tokenRefresh: REFRESH_ARN, lambda: primary.lambda })).toMatchObject({
      accessToken: 'token-1',
      region: PRIMARY,
    });
    expect(primary.invocations).toHaveLength(1);
  });

  test('are found under the ARN of each region', async () => {
    const secretId = () => `arn:aws:secretsmanager:${PRIMARY}:111122223333:secret:name-AbCdEf`;
    fail(primary, serverError);

    await failureOf(get({ secretId }));

    expect(new Set(primary.reads)).toEqual(new Set([secretId()]));
    expect(new Set(replica.reads)).toEqual(new Set([secretId().replace(PRIMARY, REPLICA)]));
  });

  test.each<[object, string]>([
    [{ regions: [] }, 'regions: found another list; allowed: a list of AWS regions, each once'],
    [{ regions: 'eu-north' }, 'regions: found "eu-north"; allowed: a list'],
    [{ regions: [PRIMARY, PRIMARY] }, 'regions: found another list; allowed'],
    [{ regions: ['Ireland'] }, 'regions: found "Ireland"; allowed: a list of AWS regions'],
    [
      { regions: [PRIMARY], secretsManager: { send: () => undefined } },
      'secretsManager: found a client; allowed: secretsManagerIn',
    ],
    [
      { secretsManagerIn: () => undefined },
      'secretsManagerIn: found a function; allowed: nothing without regions',
    ],
  ])('refuse %j', (wrong, message) => {
    expect(() => createTokenSource(wrong as TokenSourceOptions)).toThrow(message);
  });
});

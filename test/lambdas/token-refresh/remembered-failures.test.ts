import { type TokenKey } from '../../../core/tokens/published-keys';
import { PlatformUnavailableError, type TokenError } from '../../../core/tokens/token-errors';
import { KEY, keyOf, TENANT_ID } from '../../support/lambdas/token-functions';
import { DOWN, REFUSED, SCOPE_REFUSED, TokenFunctions, versionIdOf } from './support/token-functions';

const OTHER_SCOPE: TokenKey = { ...KEY, interface: 'content', scope: 'api/write' };
const OTHER_INTERFACE: TokenKey = { ...KEY, interface: 'webhooks', scope: 'api/webhooks' };

let functions: TokenFunctions;
beforeEach(() => {
  functions = new TokenFunctions();
  functions.loadAll('tenant-a', 'tenant-b', 'tenant-c', 'tenant-d');
});

/** The failure of a renewal; undefined if a token serves. */
const refresh = (key = KEY): Promise<TokenError | undefined> =>
  functions.refresh({}, key).then(
    () => undefined,
    (error: TokenError) => error,
  );

describe('a credential that the platform refused', () => {
  beforeEach(async () => {
    functions.issuer.script.push(REFUSED);
    await refresh();
  });

  test('is tried once, and counted for the alarm', () => {
    expect(functions.issuer.requests).toHaveLength(1);
    expect(functions.clock.sleepsMs).toEqual([]);
    expect(functions.metrics.counts).toEqual({ TokenRequest: 1, TokenRenewalFailed: 1 });
    expect(functions.metrics.faults).toEqual({ credential_refused: 1 });
  });

  test('is sent again after 60 s, not earlier, also if the wall clock is set back', async () => {
    functions.clock.set(-300_000);
    functions.clock.advance(59_999);
    expect(await refresh()).toMatchObject({
      code: 'credential_refused',
      message: `${REFUSED.message}; the next attempt is possible in 1 s`,
      retryAfterMs: 1,
    });
    functions.clock.advance(1);

    expect(await refresh()).toBeUndefined();
    expect(functions.issuer.requests).toHaveLength(2);
  });

  test('is forgotten at once if another version is loaded', async () => {
    functions.load(TENANT_ID, 'credential-2');

    expect(await refresh()).toBeUndefined();
    expect(functions.current()?.credentialVersionId).toBe(versionIdOf('credential-2'));
  });

  test('is not sent for another scope of the interface either', async () => {
    expect((await refresh(OTHER_SCOPE))?.code).toBe('credential_refused');
    expect(functions.issuer.requests).toHaveLength(1);
  });

  test.each([
    ['the other interface', OTHER_INTERFACE],
    ['another tenant', keyOf('tenant-a')],
  ])('does not delay %s', async (_, key) => {
    expect(await refresh(key)).toBeUndefined();
  });
});

test('a scope that the platform refused is not requested again for 60 s, while others are', async () => {
  functions.issuer.script.push(SCOPE_REFUSED);
  await refresh();

  expect((await refresh())?.code).toBe('scope_refused');
  expect(await refresh(OTHER_SCOPE)).toBeUndefined();
  expect(functions.issuer.requests).toHaveLength(2);
});

describe('an outage', () => {
  test('causes three attempts before the deadline, with full jitter', async () => {
    functions.issuer.always = () => DOWN;

    const failure = await refresh();

    expect(failure).toMatchObject({ message: DOWN.message, cause: DOWN, retryAfterMs: 10_000 });
    expect(functions.metrics.counts).toEqual({ TokenRequest: 3, TokenRenewalFailed: 1 });
    expect(functions.metrics.faults).toEqual({ platform_unavailable: 1 });
    expect(functions.clock.sleepsMs).toEqual([0.999 * 1_000, 0.999 * 2_000]);
  });

  test('may be over at the second attempt', async () => {
    functions.issuer.script.push(DOWN);

    expect(await refresh()).toBeUndefined();
    expect(functions.metrics.counts).toEqual({ TokenRequest: 2, TokenRequestExcess: 1, TokenRenewed: 1 });
    expect(functions.metrics.faults).toEqual({ platform_unavailable: 1 });
  });

  test('that only a person can end causes one attempt', async () => {
    const fault = 'tls_failed';
    functions.issuer.script.push(new PlatformUnavailableError('it failed', { isRetryable: false, fault }));

    expect((await refresh())?.code).toBe('platform_unavailable');
    await refresh();
    expect(functions.issuer.requests).toHaveLength(1);
    expect(functions.metrics.faults).toEqual({ [fault]: 2 });
    expect(functions.metrics.counts.TokenBlocked).toBe(2);
  });

  test('with slow answers ends in time for a write, and so does each attempt', async () => {
    functions.issuer.latencyMs = 2_750;
    functions.issuer.always = () => DOWN;
    const startMs = functions.clock.nowMs();

    await refresh();

    expect(functions.issuer.requests.map(({ timeoutMs }) => Math.ceil(timeoutMs))).toEqual([5_000, 4_751, 3]);
    for (const { atMs } of functions.issuer.requests) expect(atMs).toBeLessThan(startMs + 8_500);
  });

  test('is remembered for 10 s for all tokens of the tenant at this endpoint, and delays no others', async () => {
    functions.issuer.script.push(DOWN, DOWN, DOWN);
    await refresh();

    expect(await refresh()).toMatchObject({ code: 'platform_unavailable', retryAfterMs: 10_000 });
    expect((await refresh(OTHER_SCOPE))?.code).toBe('platform_unavailable');
    expect(await refresh(keyOf('tenant-a'))).toBeUndefined();
    expect(await refresh(OTHER_INTERFACE)).toBeUndefined();
    functions.clock.advance(10_000);
    expect(await refresh()).toBeUndefined();
    expect(functions.issuer.requests).toHaveLength(6);
  });
});

describe('Retry-After', () => {
  const busy = (retryAfterMs?: number, isRetryable = true) =>
    new PlatformUnavailableError('the token endpoint answered 429', { retryAfterMs, isRetryable });

  test('that fits the deadline is waited for', async () => {
    functions.issuer.script.push(busy(7_000));

    expect(await refresh()).toBeUndefined();
    expect(functions.clock.sleepsMs).toEqual([7_000]);
  });

  test('that exceeds the deadline, even a little, fails at once, and no request is sent earlier', async () => {
    const waitMs = 8_500;
    const startMs = functions.clock.nowMs();
    functions.issuer.script.push(busy(waitMs));

    const failure = { code: 'platform_unavailable', retryAfterMs: waitMs };
    expect(await refresh()).toMatchObject({ ...failure, message: busy().message });
    expect(await refresh(OTHER_SCOPE)).toMatchObject(failure);
    functions.clock.advance(1);
    expect(await refresh()).toBeUndefined();

    expect(functions.clock.sleepsMs).toEqual([8_499]);
    expect(functions.issuer.requests.map(({ atMs }) => atMs - startMs)).toEqual([0, waitMs]);
  });

  test('of zero causes neither more than three attempts nor attempts without a pause', async () => {
    functions.issuer.always = () => busy(0);

    await refresh();

    expect(functions.issuer.requests).toHaveLength(3);
    expect(functions.clock.sleepsMs).toEqual([0.999 * 1_000, 0.999 * 2_000]);
  });

  test('applies to all renewals of the tenant at the endpoint, including running ones', async () => {
    const startMs = functions.clock.nowMs();
    functions.issuer.latencyMs = 100;
    functions.issuer.script.push(busy(5_000), DOWN);

    const underWay = [refresh(), refresh(OTHER_SCOPE)];
    await functions.clock.sleep(200);
    const later = [refresh({ ...KEY, interface: 'content', scope: 'api/all' }), refresh(OTHER_INTERFACE)];

    expect(await Promise.all([...underWay, ...later])).toEqual([undefined, undefined, undefined, undefined]);
    const content = functions.issuer.requests.filter(({ tokenType }) => tokenType.interface === 'content');
    expect(content.map(({ atMs }) => atMs - startMs)).toEqual([0, 0, 5_100, 5_100, 5_100]);
  });

  test.each([
    ['shorter', 3_000],
    ['none, for this other answer', undefined],
  ])('is not shortened by one that is %s', async (_, retryAfterMs) => {
    functions.issuer.script.push(busy(60_000), busy(retryAfterMs, false));

    await Promise.all([refresh(), refresh(OTHER_SCOPE)]);

    expect(await refresh()).toMatchObject({ retryAfterMs: 60_000 });
  });
});

describe('tenants that fail', () => {
  const FAILING = ['tenant-a', 'tenant-b', 'tenant-c'];
  const failAll = async () => {
    for (const tenantId of FAILING) await refresh(keyOf(tenantId));
  };
  beforeEach(() => (functions.issuer.always = ({ tenantId }) => (FAILING.includes(tenantId) ? DOWN : {})));

  test('never keep a tenant that has not failed itself from its request', async () => {
    await failAll();

    expect(await refresh(keyOf('tenant-d'))).toBeUndefined();
  });

  test('take a fourth of the time of token-refresh once they have failed, however many they are', async () => {
    functions.issuer.latencyMs = 5_000;
    await failAll();
    const startMs = functions.clock.nowMs();
    let takenMs = 0;

    while (functions.clock.nowMs() - startMs < 10 * 60_000) {
      functions.clock.advance(1_000);
      const askedMs = functions.clock.nowMs();
      await failAll();
      takenMs += functions.clock.nowMs() - askedMs;
      // One attempt at a time.
      expect(functions.clock.nowMs() - askedMs).toBeLessThanOrEqual(5_000);
    }

    expect(takenMs).toBeGreaterThan(60_000);
    expect(takenMs).toBeLessThan(0.26 * 10 * 60_000);
  });
});

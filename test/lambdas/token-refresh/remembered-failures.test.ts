import { type TokenKey } from '../../../core/tokens/published-keys';
import { PlatformUnavailableError, TokenError } from '../../../core/tokens/token-errors';
import { refreshToken } from '../../../lambdas/token-refresh/refresh-token';
import { KEY, keyOf, TENANT_ID } from '../../support/lambdas/token-functions';
import { TokenFunctions, versionIdOf } from './support/token-functions';

const OUTAGE = new PlatformUnavailableError('the token endpoint answered 503');
const REFUSED = new TokenError('credential_refused', 'the token endpoint answered 401 invalid_client');
const SCOPE_REFUSED = new TokenError('scope_refused', 'the token endpoint answered 400 invalid_scope');
const TENANTS = ['tenant-a', 'tenant-b', 'tenant-c', 'tenant-d'];
const OTHER_SCOPE: TokenKey = { ...KEY, interface: 'content', scope: 'api/write' };
const OTHER_INTERFACE: TokenKey = { ...KEY, interface: 'webhooks', scope: 'api/webhooks' };

let functions: TokenFunctions;
beforeEach(() => {
  functions = new TokenFunctions();
  for (const tenantId of TENANTS) functions.load(tenantId, `credential-of-${tenantId}`);
});

/** The failure of a renewal; undefined if a token serves. */
function refresh(key = KEY): Promise<TokenError | undefined> {
  const deadlineMs = functions.clock.monotonicMs() + 10_000;
  return refreshToken(functions, key, { minValidityMs: 60_000, deadlineMs }).then(
    () => undefined,
    (error: TokenError) => error,
  );
}

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

  test('is not sent again for 60 s', async () => {
    functions.clock.advance(59_999);

    const failure = await refresh();

    expect(failure).toMatchObject({
      code: 'credential_refused',
      message: 'the token endpoint answered 401 invalid_client; the next attempt is possible in 1 s',
      retryAfterMs: 1,
    });
    expect(functions.issuer.requests).toHaveLength(1);
  });

  test('is sent again neither earlier nor later if the wall clock is set back', async () => {
    functions.clock.set(-300_000);
    functions.clock.advance(59_999);
    const early = await refresh();
    functions.clock.advance(1);

    expect(early?.code).toBe('credential_refused');
    expect(await refresh()).toBeUndefined();
  });

  test('is sent again after 60 s', async () => {
    functions.clock.advance(60_000);

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

  test('costs one request per minute, whatever callers do', async () => {
    functions.issuer.always = () => REFUSED;

    for (let call = 0; call < 600; call += 1) {
      await refresh();
      functions.clock.advance(1_000);
    }

    expect(functions.issuer.requests).toHaveLength(10);
  });
});

describe('a scope that the platform refused', () => {
  test('is not requested again for 60 s, while others are', async () => {
    functions.issuer.script.push(SCOPE_REFUSED);
    await refresh();

    const again = await refresh();
    const other = await refresh(OTHER_SCOPE);

    expect(again?.code).toBe('scope_refused');
    expect(other).toBeUndefined();
    expect(functions.issuer.requests.map(({ tokenType }) => tokenType.scope)).toEqual([
      'api/read',
      'api/write',
    ]);
  });
});

describe('an outage', () => {
  test('causes three attempts before the deadline, with full jitter', async () => {
    functions.issuer.always = () => OUTAGE;

    const failure = await refresh();

    expect(failure).toMatchObject({ message: OUTAGE.message, cause: OUTAGE, retryAfterMs: 10_000 });
    expect(functions.issuer.requests).toHaveLength(3);
    expect(functions.metrics.faults).toEqual({ platform_unavailable: 1 });
    expect(functions.clock.sleepsMs).toEqual([0.999 * 1_000, 0.999 * 2_000]);
  });

  test('may be over at the second attempt', async () => {
    functions.issuer.script.push(OUTAGE);

    expect(await refresh()).toBeUndefined();
    expect(functions.metrics.counts).toEqual({ TokenRequest: 2, TokenRequestExcess: 1, TokenRenewed: 1 });
    expect(functions.metrics.faults).toEqual({ platform_unavailable: 1 });
  });

  test.each(['tls_failed', 'proxy_refused'] as const)(
    'that only a person can end causes one attempt: %s',
    async (fault) => {
      functions.issuer.script.push(new PlatformUnavailableError('it failed', { isRetryable: false, fault }));

      expect((await refresh())?.code).toBe('platform_unavailable');
      await refresh();
      expect(functions.issuer.requests).toHaveLength(1);
      expect(functions.metrics.faults).toEqual({ [fault]: 2 });
      expect(functions.metrics.counts.TokenBlocked).toBe(2);
    },
  );

  test('with slow answers ends in time for a write, and so does each attempt', async () => {
    functions.issuer.latencyMs = 2_750;
    functions.issuer.always = () => OUTAGE;
    const startMs = functions.clock.nowMs();

    await refresh();

    expect(functions.issuer.requests.map(({ timeoutMs }) => Math.ceil(timeoutMs))).toEqual([5_000, 4_751, 3]);
    for (const { atMs } of functions.issuer.requests) expect(atMs).toBeLessThan(startMs + 8_500);
  });

  test('is remembered for 10 s for all tokens of the tenant at this endpoint', async () => {
    functions.issuer.script.push(OUTAGE, OUTAGE, OUTAGE);
    await refresh();

    const [same, other] = [await refresh(), await refresh(OTHER_SCOPE)];
    functions.clock.advance(10_000);
    const later = await refresh();

    expect(same).toMatchObject({ code: 'platform_unavailable', retryAfterMs: 10_000 });
    expect(other?.code).toBe('platform_unavailable');
    expect(later).toBeUndefined();
    expect(functions.issuer.requests).toHaveLength(4);
  });

  test('of one tenant delays neither another tenant nor the other interface', async () => {
    functions.issuer.script.push(OUTAGE, OUTAGE, OUTAGE);
    await refresh();

    expect(await refresh(keyOf('tenant-a'))).toBeUndefined();
    expect(await refresh(OTHER_INTERFACE)).toBeUndefined();
  });
});

describe('Retry-After', () => {
  const busy = (retryAfterMs: number) =>
    new PlatformUnavailableError('the token endpoint answered 429', { retryAfterMs });

  test('that fits the deadline is waited for', async () => {
    functions.issuer.script.push(busy(7_000));

    expect(await refresh()).toBeUndefined();
    expect(functions.clock.sleepsMs).toEqual([7_000]);
  });

  test.each([8_500, 60_000])(
    'of %d ms, which exceeds the deadline, fails at once, and no request is sent earlier',
    async (waitMs) => {
      const startMs = functions.clock.nowMs();
      functions.issuer.script.push(busy(waitMs));

      const failure = await refresh();
      const early = await refresh(OTHER_SCOPE);
      functions.clock.advance(waitMs - 8_499);
      const late = await refresh();

      expect(failure).toMatchObject({
        code: 'platform_unavailable',
        message: busy(0).message,
        retryAfterMs: waitMs,
      });
      expect(early).toMatchObject({ code: 'platform_unavailable', retryAfterMs: waitMs });
      expect(late).toBeUndefined();
      expect(functions.clock.sleepsMs).toEqual([8_499]);
      expect(functions.issuer.requests.map(({ atMs }) => atMs - startMs)).toEqual([0, waitMs]);
    },
  );

  test('of zero causes neither more than three attempts nor attempts without a pause', async () => {
    functions.issuer.always = () => busy(0);

    await refresh();

    expect(functions.issuer.requests).toHaveLength(3);
    expect(functions.clock.sleepsMs).toEqual([0.999 * 1_000, 0.999 * 2_000]);
  });

  test('applies to all renewals of the tenant at the endpoint, including running ones', async () => {
    const startMs = functions.clock.nowMs();
    functions.issuer.latencyMs = 100;
    functions.issuer.script.push(busy(5_000), OUTAGE);

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
    functions.issuer.script.push(
      busy(60_000),
      new PlatformUnavailableError('busy', { retryAfterMs, isRetryable: false }),
    );

    await Promise.all([refresh(), refresh(OTHER_SCOPE)]);

    expect(await refresh()).toMatchObject({ retryAfterMs: 60_000 });
  });

  test('is neither longer nor shorter if the wall clock is set back in the meantime', async () => {
    functions.issuer.script.push(busy(60_000));
    await refresh();
    functions.clock.set(-300_000);

    functions.clock.advance(40_000);
    const early = await refresh();
    functions.clock.advance(20_000);

    expect(early).toMatchObject({ retryAfterMs: 20_000 });
    expect(await refresh()).toBeUndefined();
  });
});

describe('tenants that fail', () => {
  const failFor = async (...tenantIds: string[]) => {
    for (const tenantId of tenantIds) await refresh(keyOf(tenantId));
  };

  test('never keep a tenant that has not failed itself from its request', async () => {
    functions.issuer.always = ({ tenantId }) => (tenantId === 'tenant-d' ? {} : OUTAGE);

    await failFor('tenant-a', 'tenant-b', 'tenant-c', TENANT_ID);

    expect(await refresh(keyOf('tenant-d'))).toBeUndefined();
  });

  test('take a fourth of the time of token-refresh once they have failed, however many they are', async () => {
    functions.issuer.latencyMs = 5_000;
    functions.issuer.always = () => OUTAGE;
    await failFor('tenant-a', 'tenant-b', 'tenant-c');
    const startMs = functions.clock.nowMs();
    let takenMs = 0;

    while (functions.clock.nowMs() - startMs < 10 * 60_000) {
      functions.clock.advance(1_000);
      const askedMs = functions.clock.nowMs();
      await failFor('tenant-a', 'tenant-b', 'tenant-c');
      takenMs += functions.clock.nowMs() - askedMs;
      // One attempt at a time.
      expect(functions.clock.nowMs() - askedMs).toBeLessThanOrEqual(5_000);
    }

    expect(takenMs).toBeGreaterThan(60_000);
    expect(takenMs).toBeLessThan(0.26 * 10 * 60_000);
  });
});

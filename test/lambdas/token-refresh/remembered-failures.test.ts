import { type TokenKey } from '../../../contract/token-key';
import { PlatformUnavailableError, TokenError } from '../../../lambdas/shared/domain/token-errors';
import { refreshToken } from '../../../lambdas/token-refresh/refresh-token';
import { KEY, keyOf, TENANT_ID, TokenFunctions } from '../../support/lambdas/token-functions';

const OUTAGE = new PlatformUnavailableError('the token endpoint answered 503');
const REFUSED = new TokenError('credential_refused', 'the token endpoint answered 401 invalid_client');
const SCOPE_REFUSED = new TokenError('scope_refused', 'the token endpoint answered 400 invalid_scope');
const TENANTS = ['tenant-a', 'tenant-b', 'tenant-c', 'tenant-d'];
const OTHER_SCOPE: TokenKey = { ...KEY, interface: 'content', scope: 'api/write' };
const OTHER_INTERFACE: TokenKey = { ...KEY, interface: 'webhooks', scope: 'api/webhooks' };

let functions: TokenFunctions;
beforeEach(() => {
  functions = new TokenFunctions();
  for (const tenantId of TENANTS) functions.credentials.load(tenantId, `credential-of-${tenantId}`);
});

/** The failure of a renewal, or undefined where a token serves. */
function refresh(key = KEY): Promise<TokenError | undefined> {
  const deadlineMs = functions.clock.nowMs() + 10_000;
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
    expect(functions.metrics.counts).toEqual({
      TokenRequest: 1,
      TokenRenewalFailed: 1,
      CredentialRefused: 1,
    });
  });

  test('is not sent again for 60 s', async () => {
    functions.clock.advance(59_999);

    const failure = await refresh();

    expect(failure).toMatchObject({
      code: 'credential_refused',
      message: 'the token endpoint answered 401 invalid_client; not asked again so soon',
      retryAfterMs: 1,
    });
    expect(functions.issuer.requests).toHaveLength(1);
  });

  test('is sent again after 60 s', async () => {
    functions.clock.advance(60_000);

    expect(await refresh()).toBeUndefined();
    expect(functions.issuer.requests).toHaveLength(2);
  });

  test('is forgotten at once when another version is loaded', async () => {
    functions.credentials.load(TENANT_ID, 'credential-2');

    expect(await refresh()).toBeUndefined();
    expect(functions.tokens.current(KEY)?.credentialVersionId).toBe('credential-2');
  });

  test('is not sent for another scope of the interface either', async () => {
    expect((await refresh(OTHER_SCOPE))?.code).toBe('credential_refused');
    expect(functions.issuer.requests).toHaveLength(1);
  });

  test.each([
    ['the other interface', OTHER_INTERFACE],
    ['another tenant', keyOf('tenant-a')],
  ])('does not hold up %s', async (_, key) => {
    expect(await refresh(key)).toBeUndefined();
  });

  test('costs one request a minute, whatever callers do', async () => {
    functions.issuer.always = () => REFUSED;

    for (let call = 0; call < 600; call += 1) {
      await refresh();
      functions.clock.advance(1_000);
    }

    expect(functions.issuer.requests).toHaveLength(10);
  });
});

describe('a scope that the platform refused', () => {
  test('is not asked for again for 60 s, while others are', async () => {
    functions.issuer.script.push(SCOPE_REFUSED);
    await refresh();

    const again = await refresh();
    const other = await refresh(OTHER_SCOPE);

    expect(again?.code).toBe('scope_refused');
    expect(other).toBeUndefined();
    expect(functions.issuer.requests.map(({ target }) => target.scope)).toEqual(['api/read', 'api/write']);
  });
});

describe('an outage', () => {
  test('is tried three times inside the deadline, with full jitter', async () => {
    functions.issuer.always = () => OUTAGE;

    const failure = await refresh();

    expect(failure).toBe(OUTAGE);
    expect(functions.issuer.requests).toHaveLength(3);
    expect(functions.clock.sleepsMs).toEqual([0.999 * 1_000, 0.999 * 2_000]);
  });

  test('may be over at the second try', async () => {
    functions.issuer.script.push(OUTAGE);

    expect(await refresh()).toBeUndefined();
    expect(functions.metrics.counts).toEqual({ TokenRequest: 2, TokenRenewed: 1 });
  });

  test('that a repetition cannot mend is tried once', async () => {
    functions.issuer.script.push(new PlatformUnavailableError('TLS failed', { isRetryable: false }));

    expect((await refresh())?.code).toBe('platform_unavailable');
    expect(functions.issuer.requests).toHaveLength(1);
  });

  test('of slow answers ends with the deadline, and each try ends there at the latest', async () => {
    functions.issuer.latencyMs = 3_500;
    functions.issuer.always = () => OUTAGE;
    const startMs = functions.clock.nowMs();

    await refresh();

    expect(functions.issuer.requests.map(({ timeoutMs }) => Math.ceil(timeoutMs))).toEqual([5_000, 5_000, 3]);
    for (const { atMs } of functions.issuer.requests) expect(atMs).toBeLessThan(startMs + 10_000);
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

  test('of one tenant holds up neither another tenant nor the other interface', async () => {
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

  test.each([10_000, 60_000])(
    'of %d ms, which does not fit, fails at once, and nobody asks earlier',
    async (waitMs) => {
      functions.issuer.script.push(busy(waitMs));

      const failure = await refresh();
      functions.clock.advance(waitMs - 1);
      const early = await refresh(OTHER_SCOPE);
      functions.clock.advance(1);
      const late = await refresh();

      expect(failure).toMatchObject({ code: 'platform_unavailable', retryAfterMs: waitMs });
      expect(early).toMatchObject({ code: 'platform_unavailable', retryAfterMs: 1 });
      expect(late).toBeUndefined();
      expect(functions.clock.sleepsMs).toEqual([]);
      expect(functions.issuer.requests).toHaveLength(2);
    },
  );

  test('of zero is no reason to try more than three times', async () => {
    functions.issuer.always = () => busy(0);

    await refresh();

    expect(functions.issuer.requests).toHaveLength(3);
  });
});

describe('a token endpoint that fails for three tenants', () => {
  const failFor = async (...tenantIds: string[]) => {
    for (const tenantId of tenantIds) await refresh(keyOf(tenantId));
  };

  test('is left alone for the others, for 30 s', async () => {
    functions.issuer.always = () => OUTAGE;
    await failFor('tenant-a', 'tenant-b', 'tenant-c');
    const requests = functions.issuer.requests.length;

    const failure = await refresh(keyOf('tenant-d'));
    functions.clock.advance(30_000);
    await refresh(keyOf('tenant-d'));

    expect(failure).toMatchObject({ code: 'platform_unavailable', retryAfterMs: 30_000 });
    expect(requests).toBe(9);
    expect(functions.issuer.requests).toHaveLength(12);
    expect(functions.credentials.reads.filter((tenantId) => tenantId === 'tenant-d')).toHaveLength(1);
  });

  test('is asked on where a success came between', async () => {
    functions.issuer.always = ({ tenantId }) => (tenantId === 'tenant-d' ? {} : OUTAGE);
    await failFor('tenant-a', 'tenant-b', 'tenant-d', 'tenant-c');

    expect(await refresh()).toBe(OUTAGE);
  });

  test('does not count tenants whose credentials it refused', async () => {
    functions.issuer.always = () => REFUSED;
    await failFor('tenant-a', 'tenant-b', 'tenant-c');

    expect((await refresh(keyOf('tenant-d')))?.message).toBe(REFUSED.message);
  });
});

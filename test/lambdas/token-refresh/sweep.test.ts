import { MIN_NORMAL_LIFE_SEC } from '../../../core/tokens/lifetimes';
import { type TokenType } from '../../../core/deployment/platform';
import { StoreError } from '../../../core/secrets/store-error';
import { PlatformUnavailableError, TokenError } from '../../../core/tokens/token-errors';
import { tenantAtInterface } from '../../../lambdas/token-refresh/refresh-memory';
import { sweep } from '../../../lambdas/token-refresh/sweep';
import { deploymentOf, keyOf, MINUTE_MS } from '../../support/lambdas/token-functions';
import { credentialSecretOf, TokenFunctions, versionIdOf } from './support/token-functions';

const THREE = ['tenant-a', 'tenant-b', 'tenant-c'];
const MANY = Array.from({ length: 20 }, (_, index) => `tenant-${index}`);
const FORTY = Array.from({ length: 40 }, (_, index) => `tenant-${index}`);

let functions: TokenFunctions;
beforeEach(() => (functions = new TokenFunctions()));

const load = (...tenantIds: string[]) => tenantIds.forEach((tenantId) => functions.load(tenantId));
const requestedTenants = () => functions.issuer.requests.map(({ tenantId }) => tenantId);

const SCOPES = ['api/all', 'api/read', 'api/write'] as const;
const contentTokens = (scopes: readonly (typeof SCOPES)[number][]): TokenType[] =>
  scopes.map((scope) => ({ interface: 'content', scope }));

/** Sweeps tokens of each tenant, by default its one content token. */
function run(
  tenantIds = THREE,
  endsInMs = 4 * MINUTE_MS,
  tokens = contentTokens(['api/read']),
  tokenRequestsPerSec = 1000,
) {
  const tenants = tenantIds.map((tenantId) => ({ tenantId, tokens, adopted: {} }));
  const deployment = deploymentOf([], { tenants, tokenRequestsPerSec });
  return sweep(functions, deployment, functions.clock.monotonicMs() + endsInMs);
}

async function outcomes(tenantIds = THREE, endsInMs?: number) {
  const { tenants } = await run(tenantIds, endsInMs);
  return tenants.map(({ tokens }) => tokens[0]!.outcome);
}

describe('a sweep', () => {
  test('renews due tokens and keeps fresh ones, and reports both by tenant', async () => {
    load(...THREE);
    functions.store({ lifeLeftMs: 60 * MINUTE_MS }, keyOf('tenant-a'));
    functions.store({ lifeLeftMs: 19 * MINUTE_MS }, keyOf('tenant-b'));
    const token = { interface: 'content', scope: 'api/read' };

    const answer = await run();

    expect(answer).toEqual({
      ok: true,
      tokens: 3,
      refreshed: 2,
      failed: 0,
      tenants: [
        { tenantId: 'tenant-a', tokens: [{ ...token, outcome: 'fresh' }] },
        { tenantId: 'tenant-b', tokens: [{ ...token, outcome: 'refreshed' }] },
        { tenantId: 'tenant-c', tokens: [{ ...token, outcome: 'refreshed' }] },
      ],
    });
    expect(functions.log.lines).toEqual([
      { level: 'info', message: 'sweep ended', tokens: 3, refreshed: 2, failed: 0, durationMs: 0 },
    ]);
  });

  test('starts with unknown tokens, then continues by earliest expiry', async () => {
    load(...MANY);
    await run(MANY.slice(1));
    functions.clock.advance(45 * MINUTE_MS);
    for (const [index, { token }] of [...functions.memory.stored.values()].entries()) {
      token!.expiresAtMs = functions.clock.nowMs() + (19 - index) * 1_000;
    }
    const before = functions.tokenReads.length;

    await run(MANY);

    expect(functions.tokenReads.slice(before)).toEqual([MANY[0], ...MANY.slice(1).reverse()]);
  });

  test.each([
    ['at the usual rate', 10, 32],
    ['at the highest', 25, 80],
    ['without a limit, on the laptop', 1000, 32],
  ])('renews at most so many tokens in parallel %s', async (_, perSec, atOnce) => {
    const tenantIds = Array.from({ length: 120 }, (_, index) => `tenant-${index}`);
    load(...tenantIds);
    functions.issuer.latencyMs = 4_000;

    await run(tenantIds, 4 * MINUTE_MS, contentTokens(['api/read']), perSec);

    expect(functions.issuer.maxAtOnce).toBe(atOnce);
  });
});

describe('the reads of a sweep', () => {
  test('include no token that the process remembers as fresh', async () => {
    load(...THREE);
    await run();
    const before = functions.tokenReads.length;

    expect(await run()).toMatchObject({ ok: true, refreshed: 0, failed: 0 });
    expect(functions.tokenReads).toHaveLength(before);
    expect(functions.issuer.requests).toHaveLength(3);
    expect(functions.writes).toHaveLength(3);
  });

  test('include the version of each credential once, however many tokens the tenant has', async () => {
    load('tenant-a');
    const tokens: TokenType[] = [
      ...contentTokens(['api/all', 'api/read']),
      { interface: 'webhooks', scope: 'api/all' },
    ];

    await run(['tenant-a'], MINUTE_MS, tokens);
    const first = functions.credentialLooks;
    await run(['tenant-a'], MINUTE_MS, tokens);

    expect(first).toEqual(['tenant-a']);
    expect(functions.credentialLooks).toEqual(['tenant-a', 'tenant-a']);
  });

  test('include the credential once for tokens that are renewed together, and again after ten seconds', async () => {
    load('tenant-a');
    functions.issuer.latencyMs = 4_000;

    await run(['tenant-a'], 4 * MINUTE_MS, contentTokens(SCOPES));
    expect(functions.credentialReads).toEqual(['tenant-a']);

    functions.load('tenant-a', 'credential-2');
    delete functions.memory.pace;
    await run(['tenant-a'], 4 * MINUTE_MS, contentTokens(SCOPES), 0.08);
    expect(functions.credentialReads).toHaveLength(4);
    expect(functions.current(keyOf('tenant-a'))?.credentialVersionId).toBe(versionIdOf('credential-2'));
  });

  test('include a credential again after a refusal, because it may have been replaced since', async () => {
    load('tenant-a');
    functions.issuer.always = ({ clientSecret }) => {
      if (clientSecret.endsWith('credential-2')) return {};
      functions.load('tenant-a', 'credential-2');
      return new TokenError('credential_refused', 'refused');
    };

    const { tenants } = await run(['tenant-a'], MINUTE_MS, contentTokens(SCOPES));

    expect(tenants[0]?.tokens.map(({ outcome }) => outcome)).toEqual([
      'credential_refused',
      'refreshed',
      'refreshed',
    ]);
  });

  test('include a credential again if the platform refuses the one that another token has read', async () => {
    load('tenant-a');
    functions.issuer.always = ({ clientSecret }) => {
      const { length } = functions.issuer.requests;
      if (length === 1) functions.load('tenant-a', 'credential-2');
      return length === 1 || clientSecret.endsWith('credential-2')
        ? {}
        : new TokenError('credential_refused', 'refused');
    };

    const answer = await run(['tenant-a'], MINUTE_MS, contentTokens(SCOPES));

    expect(answer).toMatchObject({ ok: true, refreshed: 3, failed: 0 });
    expect(functions.credentialReads).toHaveLength(2);
    expect(functions.metrics.faults).toEqual({});
  });

  test('include a credential again after a read that failed', async () => {
    load('tenant-a');
    const secret = credentialSecretOf(keyOf('tenant-a'));
    functions.secrets.faults.push({
      operation: 'GetSecretValue',
      secret,
      name: 'AccessDeniedException',
      times: 1,
    });

    const { tenants } = await run(['tenant-a'], MINUTE_MS, contentTokens(SCOPES));

    expect(tenants[0]?.tokens.map(({ outcome }) => outcome)).toEqual([
      'store_unavailable',
      'refreshed',
      'refreshed',
    ]);
  });

  test('include no value of a token without a credential, and its ARN once', async () => {
    const calls = () => functions.secrets.commands.map(({ operation }) => operation);

    await run(['tenant-a']);
    expect(calls()).toEqual(['DescribeSecret', 'DescribeSecret']);

    load('tenant-a');
    await run(['tenant-a']);
    expect(calls().slice(2)).toEqual([
      'DescribeSecret',
      'GetSecretValue',
      'GetSecretValue',
      'PutSecretValue',
    ]);
  });

  test('in a day of sweeps are three of a token per renewal, with 32 to 36 renewals', async () => {
    load('tenant-a');

    for (let at = 0; at < 24 * 60 * MINUTE_MS; at += 5 * MINUTE_MS) {
      await run(['tenant-a']);
      functions.clock.advance(5 * MINUTE_MS);
    }

    const renewals = functions.writes.length;
    expect(renewals).toBeGreaterThanOrEqual(32);
    expect(renewals).toBeLessThanOrEqual(36);
    expect(functions.tokenReads.length).toBeGreaterThan(2 * renewals);
    expect(functions.tokenReads.length).toBeLessThanOrEqual(3 * renewals);
  });
});

describe('a token that another writer replaces by one that expires sooner', () => {
  test.each([
    ['just after it was read', 0, ['fresh', 'fresh', 'refreshed']],
    ['a sweep later', 1, ['fresh', 'refreshed', 'fresh']],
    ['just before it is read again', 2, ['refreshed', 'fresh', 'fresh']],
  ])('is renewed at the third sweep after it was read: written %s', async (_, before, outcomes) => {
    load('tenant-a');
    const next = async () => {
      functions.clock.advance(5 * MINUTE_MS);
      return (await run(['tenant-a'])).tenants[0]!.tokens[0]!.outcome;
    };
    await run(['tenant-a']);
    for (let sweeps = 0; sweeps < before; sweeps += 1) await next();
    functions.store({ lifeLeftMs: 5 * MINUTE_MS }, keyOf('tenant-a'));

    expect([await next(), await next(), await next()]).toEqual(outcomes);
  });

  test('is read again within three sweeps, and counts for the metric', async () => {
    load('tenant-a');
    await run(['tenant-a']);
    functions.store({ lifeLeftMs: 25 * MINUTE_MS }, keyOf('tenant-a'));
    functions.issuer.always = () => new PlatformUnavailableError('the token endpoint answered 503');

    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      functions.clock.advance(5 * MINUTE_MS);
      await run(['tenant-a']);
    }

    const lives = functions.metrics.measured.filter(([metric]) => metric === 'TokenLifeLeft');
    expect(lives.at(-1)![1]).toBeGreaterThan(590);
    expect(lives.at(-1)![1]).toBeLessThanOrEqual(600);
  });
});

describe('a token that lives for 20 minutes', () => {
  /** Sweeps for 48 hours, each up to `lateSec` late. */
  async function runTwoDays(lateSec: number): Promise<number> {
    let minLifeMs = Infinity;
    load('tenant-a');
    functions.issuer.always = () => ({ expiresAtMs: functions.clock.nowMs() + 20 * MINUTE_MS });
    const startMs = functions.clock.nowMs();
    for (let sweeps = 0; sweeps < 48 * 12; sweeps += 1) {
      functions.clock.advance(
        Math.max(
          0,
          startMs + sweeps * 5 * MINUTE_MS + ((sweeps * 7) % (lateSec + 1)) * 1000 - functions.clock.nowMs(),
        ),
      );
      const before = sweeps === 0 ? undefined : functions.current(keyOf('tenant-a'));
      await run(['tenant-a']);
      if (before !== undefined) minLifeMs = Math.min(minLifeMs, before.expiresAtMs - functions.clock.nowMs());
    }
    return minLifeMs;
  }

  test('never expires by our doing, although sweeps start late', async () => {
    expect(await runTwoDays(20)).toBeGreaterThan(0);
    expect(functions.current(keyOf('tenant-a'))!.writesMs.length).toBeLessThanOrEqual(96);
  });
});

describe('a tenant that fails', () => {
  test.each([
    ['platform_unavailable', new PlatformUnavailableError('the token endpoint answered 503')],
    ['credential_refused', new TokenError('credential_refused', 'refused')],
  ])('with %s does not stop the others', async (code, error) => {
    load(...THREE);
    functions.issuer.always = ({ tenantId }) => (tenantId === 'tenant-b' ? error : {});

    const answer = await run();

    expect(answer).toMatchObject({ ok: false, tokens: 3, refreshed: 2, failed: 1 });
    expect(answer.tenants[1]?.tokens[0]).toMatchObject({ outcome: code, message: error.message });
    expect(functions.log.lines[0]).toEqual({
      level: 'error',
      message: 'token not renewed',
      tenantId: 'tenant-b',
      interface: 'content',
      scope: 'api/read',
      code,
      detail: error.message,
    });
  });

  describe('whose credential cannot be described', () => {
    const secret = credentialSecretOf(keyOf('tenant-b'));
    const denied = { operation: 'DescribeSecret', secret, name: 'AccessDeniedException' };
    beforeEach(() => {
      load(...THREE);
      functions.secrets.faults.push({ ...denied, times: Infinity });
    });

    test('gets a due token renewed, and the fault is counted', async () => {
      functions.store({ lifeLeftMs: 19 * MINUTE_MS }, keyOf('tenant-b'));

      const answer = await run();

      expect(answer).toMatchObject({ ok: true, refreshed: 3, failed: 0 });
      expect(functions.metrics.counts.TokenRenewalFailed).toBeUndefined();
      expect(functions.metrics.faults).toEqual({ store_access_denied: 1 });
    });

    test('keeps a token that is not due, and counts as a failure because the token may be outdated', async () => {
      functions.store({}, keyOf('tenant-b'));

      const cold = await run();
      const warm = await run();

      for (const answer of [cold, warm]) {
        expect(answer).toMatchObject({ ok: false, failed: 1 });
        expect(answer.tenants[1]?.tokens[0]).toMatchObject({
          outcome: 'store_unavailable',
          message: expect.stringContaining(`secretsmanager:DescribeSecret on ${secret} was denied`) as string,
        });
      }
      expect(requestedTenants()).toEqual(['tenant-a', 'tenant-c']);
      expect(functions.metrics.counts.TokenRenewalFailed).toBe(2);
      expect(functions.metrics.faults).toEqual({ store_access_denied: 2 });
    });

    test('is counted once if the renewal fails too', async () => {
      functions.issuer.always = ({ tenantId }) =>
        tenantId === 'tenant-b' ? new TokenError('credential_refused', 'refused') : {};

      expect(await outcomes()).toEqual(['refreshed', 'credential_refused', 'refreshed']);
      expect(functions.metrics.counts.TokenRenewalFailed).toBe(1);
      expect(functions.metrics.faults).toEqual({ credential_refused: 1 });
    });

    test('because the call hangs still has time for its renewal', async () => {
      functions.secrets.faults.length = 0;
      functions.credentials.currentVersionId = async (_, timeoutMs = Infinity) => {
        await functions.clock.sleep(Math.min(timeoutMs, MINUTE_MS));
        throw new StoreError('unavailable', 'no answer in time');
      };
      functions.issuer.latencyMs = 1_000;

      expect(await outcomes()).toEqual(['refreshed', 'refreshed', 'refreshed']);
    });
  });

  test('because its secrets cannot be read does not stop the others', async () => {
    load(...THREE);
    const secret = credentialSecretOf(keyOf('tenant-b'));
    functions.secrets.faults.push({ secret, name: 'AccessDeniedException', times: Infinity });

    expect(await outcomes()).toEqual(['refreshed', 'store_unavailable', 'refreshed']);
    expect(functions.metrics.counts.TokenRenewalFailed).toBe(1);
    expect(functions.metrics.faults).toEqual({ store_access_denied: 1 });
  });

  test('as all others do, in an outage of the whole platform, is not asked for in every sweep, but is once it is over', async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => `tenant-${index}`);
    load(...hundred, 'tenant-new');
    functions.issuer.always = () => new PlatformUnavailableError('the token endpoint answered 503');
    await run(hundred);
    functions.clock.advance(5 * MINUTE_MS);
    functions.issuer.requests.length = 0;

    await expect(run([...hundred, 'tenant-new'])).resolves.toMatchObject({ ok: false, failed: 101 });

    // Those that were on their way are the most.
    expect(functions.issuer.requests.length).toBeLessThan(60);
    expect(requestedTenants()).toContain('tenant-new');
    functions.issuer.always = () => ({});
    functions.clock.advance(5 * MINUTE_MS);
    await expect(run(hundred)).resolves.toMatchObject({ ok: true, refreshed: 100 });
  });
});

describe('a dozen tenants that fail for hours', () => {
  const BAD = Array.from({ length: 12 }, (_, index) => `bad-${index}`);

  test.each([
    ['at once', 0],
    ['after 5 s', 5_000],
  ])('%s never keep the others from being renewed', async (_, latencyMs) => {
    load(...BAD, ...MANY);
    await run([...BAD, ...MANY]);
    functions.issuer.always = ({ tenantId }) => {
      const isBad = tenantId.startsWith('bad');
      if (isBad) functions.clock.advance(latencyMs);
      return isBad ? new PlatformUnavailableError('the platform fails') : {};
    };

    for (let minute = 0; minute < 2 * 60; minute += 5) {
      functions.clock.advance(5 * MINUTE_MS);
      await run([...BAD, ...MANY]);

      const livesLeftMs = MANY.map(
        (tenantId) => functions.current(keyOf(tenantId))!.expiresAtMs - functions.clock.nowMs(),
      );
      expect(Math.min(...livesLeftMs)).toBeGreaterThan(MIN_NORMAL_LIFE_SEC * 1000);
    }
  });
});

describe('a tenant whose credential was never loaded', () => {
  test('is not a failure, logs no error, and causes no request', async () => {
    load('tenant-a');

    const answer = await run(['tenant-a', 'tenant-b']);

    expect(answer).toMatchObject({ ok: true, tokens: 2, refreshed: 1, failed: 0 });
    expect(answer.tenants[1]?.tokens[0]?.outcome).toBe('not_loaded');
    expect(functions.log.lines.map(({ level }) => level)).toEqual(['info']);
    expect(requestedTenants()).toEqual(['tenant-a']);
    expect(functions.metrics.counts).toEqual({ TokenRequest: 1, TokenRenewed: 1 });
    expect(functions.metrics.faults).toEqual({});
  });

  test('whose credentials were loaded and are gone is a failure, because its tokens will expire', async () => {
    load('tenant-a');
    await run(['tenant-a']);
    functions.unload('tenant-a');

    const answer = await run(['tenant-a']);

    expect(answer).toMatchObject({ ok: false, failed: 1 });
    expect(answer.tenants[0]?.tokens[0]).toMatchObject({
      outcome: 'not_loaded',
      message: expect.stringContaining('latchkey credentials put') as string,
    });
    expect(functions.metrics.counts).toMatchObject({ TokenRenewalFailed: 1 });
    expect(functions.metrics.faults).toEqual({ not_loaded: 1 });
  });
});

describe('several tokens of one tenant', () => {
  const sweepAll = (tenantIds: string[]) => run(tenantIds, 4 * MINUTE_MS, contentTokens(SCOPES));

  test('of 200 tenants are all reported well within the interval while the token endpoint hangs', async () => {
    const tenantIds = Array.from({ length: 200 }, (_, index) => `tenant-${index}`);
    load(...tenantIds);
    const startMs = functions.clock.monotonicMs();
    functions.issuer.latencyMs = MINUTE_MS;
    functions.issuer.always = () => new PlatformUnavailableError('no answer');

    const answer = await sweepAll(tenantIds);

    expect(answer).toMatchObject({ ok: false, tokens: 600, refreshed: 0, failed: 600 });
    expect(answer.tenants.flatMap(({ tokens }) => tokens.map(({ outcome }) => outcome))).not.toContain(
      'skipped',
    );
    expect(functions.clock.monotonicMs() - startMs).toBeLessThan(MINUTE_MS);
  });
});

describe('the order of a sweep', () => {
  test('is by the most urgent token of each group, and by expiry in a group', async () => {
    const sweepAll = () => run(MANY, 4 * MINUTE_MS, contentTokens(SCOPES));
    load(...MANY);
    await sweepAll();
    functions.clock.advance(45 * MINUTE_MS);
    // The last tenants' tokens expire first and, in each tenant, the last one first.
    const known = [...functions.memory.stored.values()];
    const place = ({ secretArn }: (typeof known)[number]) =>
      MANY.findIndex((tenantId) => secretArn.includes(`/${tenantId}/`)) * 10 +
      SCOPES.findIndex((scope) => secretArn.includes(scope.replace('/', '-')));
    for (const entry of known)
      entry.token!.expiresAtMs = functions.clock.nowMs() + (500 - place(entry)) * 1_000;
    functions.issuer.requests.length = 0;
    functions.issuer.latencyMs = 100;

    await sweepAll();

    expect([...new Set(requestedTenants())]).toEqual([...MANY].reverse());
    for (const tenantId of MANY) {
      const asked = functions.issuer.requests.filter((request) => request.tenantId === tenantId);
      expect(asked.map(({ tokenType }) => tokenType.scope)).toEqual([...SCOPES].reverse());
    }
  });
});

describe('the deadline', () => {
  test('leaves tokens that were not started to the next sweep, and reports them', async () => {
    load(...FORTY);
    functions.issuer.latencyMs = 2_000;

    const first = await outcomes(FORTY, 3_000);
    const second = await outcomes(FORTY);

    expect(first.filter((outcome) => outcome === 'refreshed')).toHaveLength(32);
    expect(first.filter((outcome) => outcome === 'skipped')).toHaveLength(8);
    expect(second.filter((outcome) => outcome === 'refreshed')).toHaveLength(8);
  });

  test('leaves time for the answer to a request that has to wait for its turn', async () => {
    load(...MANY);

    const { refreshed, failed } = await run(MANY, 13_000, contentTokens(['api/read']), 2);

    // Two need not wait, 13 have their turns after 200 ms to 6,200 ms, and the next would have it after 6,700 ms.
    expect({ refreshed, failed }).toEqual({ refreshed: 15, failed: 5 });
    expect(functions.issuer.requests).toHaveLength(15);
  });

  test('starts no request that would leave a slow answer without time for the write', async () => {
    load(...MANY);
    functions.issuer.latencyMs = 4_000;
    functions.issuer.always = ({ timeoutMs }) =>
      timeoutMs < 4_000 ? new PlatformUnavailableError('no answer') : {};

    const answer = await run(MANY, 13_000, contentTokens(SCOPES));

    // Each tenant's third token would be requested after eight seconds.
    expect(answer).toMatchObject({ refreshed: 40, failed: 20 });
    expect(functions.issuer.requests).toHaveLength(40);
    expect(functions.metrics.counts.TokenRenewalFailed).toBeUndefined();
    expect(functions.memory.failing.size).toBe(0);
  });

  test.each([
    ['is kept by a tenant whose answers are slow', 7_000, 7_000],
    ['for one token is ten seconds, so that a slow tenant leaves time for the others', 240_000, 10_000],
  ])('%s', async (_, endsInMs, withinMs) => {
    load('tenant-a');
    const startMs = functions.clock.nowMs();
    functions.issuer.latencyMs = MINUTE_MS;
    functions.issuer.always = () => new PlatformUnavailableError('no answer');

    await run(['tenant-a'], endsInMs);

    expect(functions.clock.nowMs() - startMs).toBeLessThanOrEqual(withinMs);
  });
});

describe('the rate of a sweep', () => {
  const sweepAt = (perSec: number, tenantIds = MANY) =>
    run(tenantIds, 4 * MINUTE_MS, contentTokens(['api/read']), perSec);

  test('is kept over all tenants', async () => {
    load(...MANY);
    const startMs = functions.clock.monotonicMs();

    await sweepAt(2);

    // 20 requests, of which the first two may go out at once.
    expect(functions.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(8_500);
  });

  test('counts the requests with former credentials', async () => {
    load(...FORTY);
    for (const tenantId of FORTY) {
      functions.store({ lifeLeftMs: 19 * MINUTE_MS }, keyOf(tenantId));
      functions.load(tenantId, 'credential-2');
    }
    functions.issuer.always = ({ clientSecret }) =>
      clientSecret.endsWith('credential-2') ? new TokenError('credential_refused', 'refused') : {};
    const startMs = functions.clock.monotonicMs();

    await sweepAt(2, FORTY);

    expect(functions.issuer.requests).toHaveLength(80);
    // Forty requests take 19 s. The first 32 turns are given before any former credential is known to be needed.
    expect(functions.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(22_000);
  });

  test('is 10 requests a second by default', async () => {
    load(...FORTY);
    const startMs = functions.clock.monotonicMs();
    const tenants = FORTY.map((tenantId) => ({
      tenantId,
      tokens: contentTokens(['api/read']),
      adopted: {},
    }));

    await sweep(functions, deploymentOf([], { tenants }), startMs + 4 * MINUTE_MS);

    expect(functions.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(3_000);
    expect(functions.clock.monotonicMs() - startMs).toBeLessThan(4_000);
  });

  test('gives another turn to a token that the platform refused for its limit, once the others are done', async () => {
    load('tenant-a', ...MANY);
    const limited = new PlatformUnavailableError('the token endpoint answered 429', {
      retryAfterMs: 1_000,
      isRateLimit: true,
    });
    let refusals = 0;
    functions.issuer.always = ({ tenantId }) =>
      tenantId === 'tenant-a' && (refusals += 1) <= 3 ? limited : {};

    const answer = await sweepAt(10, ['tenant-a', ...MANY]);

    expect(answer).toMatchObject({ ok: true, refreshed: MANY.length + 1, failed: 0 });
    expect(requestedTenants().filter((tenantId) => tenantId === 'tenant-a')).toHaveLength(4);
    expect(requestedTenants().at(-1)).toBe('tenant-a');
  });

  test.each([
    ['is no limit', new PlatformUnavailableError('the token endpoint answered 500'), 3],
    ['lasts', new PlatformUnavailableError('limited', { retryAfterMs: 20_000, isRateLimit: true }), 1],
  ])('gives no other turn to a token whose failure %s', async (_, failure, requests) => {
    load('tenant-a', ...MANY);
    functions.issuer.always = ({ tenantId }) => (tenantId === 'tenant-a' ? failure : {});

    await expect(sweepAt(10, ['tenant-a', ...MANY])).resolves.toMatchObject({ failed: 1 });

    expect(requestedTenants().filter((tenantId) => tenantId === 'tenant-a')).toHaveLength(requests);
    expect(functions.metrics.counts.TokenRenewalFailed).toBe(1);
  });

  test('gives every 16th turn to a tenant that failed, the one that failed least often first', async () => {
    load('tenant-a', 'tenant-b', ...FORTY);
    functions.memory.failing.set(tenantAtInterface(keyOf('tenant-a')), 2);
    functions.memory.failing.set(tenantAtInterface(keyOf('tenant-b')), 1);

    await sweepAt(1000, ['tenant-a', 'tenant-b', ...FORTY]);

    expect(requestedTenants().indexOf('tenant-b')).toBe(15);
    expect(requestedTenants().indexOf('tenant-a')).toBe(31);
  });

  test('gives a tenant that failed once its turn before those whose credential is refused', async () => {
    load('tenant-a', ...FORTY);
    functions.issuer.always = () => new TokenError('credential_refused', 'refused');
    await sweepAt(1000, FORTY.slice(0, 3));
    functions.memory.failing.set(tenantAtInterface(keyOf('tenant-a')), 1);
    functions.clock.advance(2 * MINUTE_MS);
    functions.issuer.requests.length = 0;

    await sweepAt(1000, ['tenant-a', ...FORTY]);

    // The tenants that start together are in no order among themselves, so the last two refused ones are compared.
    const turnOf = (tenantId: string) => requestedTenants().indexOf(tenantId);
    expect(turnOf('tenant-a')).toBeLessThan(20);
    expect(Math.min(turnOf(FORTY[1]!), turnOf(FORTY[2]!))).toBeGreaterThan(30);
  });

  test('in a new process goes to the token that expires first, if it has no turn for every token', async () => {
    load(...FORTY);
    for (const [index, tenantId] of FORTY.entries()) {
      functions.store({ lifeLeftMs: (19 - index / 10) * MINUTE_MS }, keyOf(tenantId));
    }

    const { refreshed } = await run(FORTY, MINUTE_MS, contentTokens(['api/read']), 0.5);

    expect(refreshed).toBeLessThan(40);
    expect(requestedTenants()).toEqual(FORTY.toReversed().slice(0, refreshed));
  });

  test('replaces a token of a former credential, even if it has no turn for every token that is due', async () => {
    load(...FORTY);
    const [rotated, ...others] = FORTY;
    functions.store({ lifeLeftMs: 60 * MINUTE_MS }, keyOf(rotated!));
    for (const tenantId of others) functions.store({ lifeLeftMs: 28 * MINUTE_MS }, keyOf(tenantId));
    await sweepAt(1000, FORTY);
    functions.clock.advance(9 * MINUTE_MS);
    functions.load(rotated!, 'credential-2');
    delete functions.memory.pace;

    const { tenants } = await run(FORTY, MINUTE_MS, contentTokens(['api/read']), 0.5);

    expect(tenants[0]!.tokens[0]!.outcome).toBe('refreshed');
    expect(tenants.filter(({ tokens }) => tokens[0]!.outcome === 'skipped').length).toBeGreaterThan(0);
  });

  test('leaves tokens that come due together to no sweep that cannot do them all', async () => {
    load(...MANY);
    for (const [index, tenantId] of MANY.entries()) {
      functions.store({ lifeLeftMs: 28 * MINUTE_MS + index }, keyOf(tenantId));
    }
    await sweepAt(1000);
    expect(functions.issuer.requests).toEqual([]);
    // All are due in the next sweep but one, and at this rate a sweep can renew eight.
    delete functions.memory.pace;

    const { refreshed } = await sweepAt(0.04);

    expect(refreshed).toBe(20 - 2 * 8);
    expect(functions.issuer.requests).toHaveLength(20 - 2 * 8);
  });

  test('plans with the rate that the platform accepts', async () => {
    load(...FORTY);
    for (const [index, tenantId] of FORTY.entries()) {
      functions.store({ lifeLeftMs: 23 * MINUTE_MS + index }, keyOf(tenantId));
    }
    const sweepOfAMinute = () => run(FORTY, MINUTE_MS, contentTokens(['api/read']), 1);
    // All are due in the next sweep, which can renew 51 at one request a second.
    await expect(sweepOfAMinute()).resolves.toMatchObject({ refreshed: 0 });

    for (const tenantId of THREE) functions.memory.pace!.limited(functions.clock, tenantId);

    // At half of that rate, it can renew 25.
    await expect(sweepOfAMinute()).resolves.toMatchObject({ refreshed: 40 - 25 });
  });

  describe('with tokens that are renewed ahead', () => {
    /** At this rate, one of the tokens has a turn in twenty seconds, and nearly all would need one. */
    const aheadInTwentySeconds = () => run(FORTY, 20_000, contentTokens(['api/read']), 0.04);

    async function haveSeen(writesMs: number[] = []): Promise<void> {
      load(...FORTY);
      for (const tenantId of FORTY) {
        functions.store({ lifeLeftMs: 28 * MINUTE_MS, writesMs }, keyOf(tenantId));
      }
      await sweepAt(1000, FORTY);
      delete functions.memory.pace;
    }

    test('counts those without a turn as fresh, and reads only those that started before', async () => {
      await haveSeen();
      const reads = functions.tokenReads.length;

      await expect(aheadInTwentySeconds()).resolves.toMatchObject({ ok: true, refreshed: 1, failed: 0 });

      expect(functions.tokenReads.length - reads).toBe(32);
    });

    test('counts those as fresh that it has no time to look at', async () => {
      await haveSeen();

      await expect(run(FORTY, 1_000)).resolves.toMatchObject({ ok: true, refreshed: 0, failed: 0 });
    });

    test('keeps the write budget for when they are due', async () => {
      await haveSeen(Array.from({ length: 50 }, (_, index) => functions.clock.nowMs() - index * MINUTE_MS));

      const reads = functions.tokenReads.length;

      await expect(aheadInTwentySeconds()).resolves.toMatchObject({ ok: true, refreshed: 0, failed: 0 });

      expect(functions.issuer.requests).toEqual([]);
      expect(functions.tokenReads.length).toBe(reads);
    });
  });
});

test('an unexpected error is a bug, and fails the function', async () => {
  load(...THREE);
  functions.tokens.read = () => Promise.reject(new TypeError('a bug'));

  await expect(run()).rejects.toThrow(TypeError);
});

import { MIN_NORMAL_LIFE_SEC } from '../../../core/tokens/lifetimes';
import { type TokenType } from '../../../core/deployment/platform';
import { StoreError } from '../../../core/secrets/store-error';
import { PlatformUnavailableError, type TokenError } from '../../../core/tokens/token-errors';
import { tokenKeyText } from '../../../core/tokens/token-key';
import { tenantAtInterface } from '../../../lambdas/token-refresh/refresh-memory';
import { keyOf, MINUTE_MS } from '../../support/lambdas/token-functions';
import {
  credentialSecretOf,
  DOWN,
  REFUSED,
  type StoredChange,
  type Sweeping,
  TokenFunctions,
  versionIdOf,
} from './support/token-functions';

const tenants = (count: number, name = 'tenant') => Array.from({ length: count }, (_, at) => `${name}-${at}`);
const THREE = ['tenant-a', 'tenant-b', 'tenant-c'];
const MANY = tenants(20);
const FORTY = tenants(40);
const SCOPES = ['api/all', 'api/read', 'api/write'] as const;
const ALL_SCOPES = SCOPES.map((scope): TokenType => ({ interface: 'content', scope }));

let functions: TokenFunctions;
beforeEach(() => (functions = new TokenFunctions()));

const run = (tenantIds = THREE, sweeping: Sweeping = {}) => functions.sweep(tenantIds, sweeping);
const requestedTenants = () => functions.issuer.requests.map(({ tenantId }) => tenantId);

async function outcomes(tenantIds = THREE, sweeping: Sweeping = {}) {
  const answer = await run(tenantIds, sweeping);
  return answer.tenants.flatMap(({ tokens }) => tokens.map(({ outcome }) => outcome));
}

/** Loads tenants, and stores a token of each. */
function storeAll(tenantIds: readonly string[], stored: (index: number) => StoredChange): void {
  functions.loadAll(...tenantIds);
  for (const [index, tenantId] of tenantIds.entries()) functions.store(stored(index), keyOf(tenantId));
}

/** How long something takes, in ms. */
async function timeOf(work: Promise<unknown>): Promise<number> {
  const startMs = functions.clock.monotonicMs();
  await work;
  return functions.clock.monotonicMs() - startMs;
}

describe('a sweep', () => {
  test('renews due tokens and keeps fresh ones, and reports both by tenant', async () => {
    functions.loadAll(...THREE);
    functions.store({ lifeLeftMs: 60 * MINUTE_MS }, keyOf('tenant-a'));
    functions.store({ lifeLeftMs: 19 * MINUTE_MS }, keyOf('tenant-b'));
    const token = { interface: 'content', scope: 'api/read' };

    const answer = await run();

    const totals = { tokens: 3, refreshed: 2, failed: 0 };
    expect(answer).toEqual({
      ok: true,
      ...totals,
      tenants: [
        { tenantId: 'tenant-a', tokens: [{ ...token, outcome: 'fresh' }] },
        { tenantId: 'tenant-b', tokens: [{ ...token, outcome: 'refreshed' }] },
        { tenantId: 'tenant-c', tokens: [{ ...token, outcome: 'refreshed' }] },
      ],
    });
    expect(functions.log.lines).toEqual([
      { level: 'info', message: 'sweep ended', ...totals, durationMs: 0 },
    ]);
  });

  test('starts with unknown tokens, then the groups by their most urgent token, and each group by expiry', async () => {
    const known = MANY.slice(1);
    functions.loadAll(...MANY);
    // The last tenants' tokens expire first and, in each tenant, the last one first.
    for (const [at, tenantId] of MANY.entries()) {
      for (const [scopeAt, scope] of SCOPES.entries())
        functions.store(
          { accessToken: `${tenantId} ${scope}`, lifeLeftMs: 60 * MINUTE_MS - at * 5_000 - scopeAt * 1_000 },
          { ...keyOf(tenantId), interface: 'content', scope },
        );
    }
    await run(known, { tokens: ALL_SCOPES });
    functions.clock.advance(45 * MINUTE_MS);
    functions.issuer.latencyMs = 100;

    await run(MANY, { tokens: ALL_SCOPES });

    expect([...new Set(requestedTenants())]).toEqual([MANY[0], ...known.reverse()]);
    const requested = functions.issuer.requests.filter(({ tenantId }) => tenantId === known[0]);
    expect(requested.map(({ tokenType }) => tokenType.scope)).toEqual([...SCOPES].reverse());
  });

  test.each([
    ['at the usual rate', 10, 32],
    ['at the highest', 25, 80],
    ['without a limit, on the laptop', 1000, 32],
  ])('renews at most so many tokens in parallel %s', async (_, perSec, atOnce) => {
    functions.loadAll(...tenants(120));
    functions.issuer.latencyMs = 4_000;

    await run(tenants(120), { tokenRequestsPerSec: perSec });

    expect(functions.issuer.maxAtOnce).toBe(atOnce);
  });
});

describe('the reads of a sweep', () => {
  test('include no token that the process remembers as fresh', async () => {
    functions.loadAll(...THREE);
    await run();
    const before = functions.tokenReads.length;

    expect(await run()).toMatchObject({ ok: true, refreshed: 0, failed: 0 });
    expect(functions.tokenReads).toHaveLength(before);
    expect(functions.writes).toHaveLength(3);
  });

  test('include a remembered token at the third sweep after it was read, because others may have replaced it', async () => {
    functions.load('tenant-a');
    await run(['tenant-a']);
    functions.store({ lifeLeftMs: 5 * MINUTE_MS }, keyOf('tenant-a'));

    for (const outcome of ['fresh', 'fresh', 'refreshed']) {
      functions.clock.advance(5 * MINUTE_MS);
      expect(await outcomes(['tenant-a'])).toEqual([outcome]);
    }
  });

  test('include the version of each credential once, however many tokens the tenant has', async () => {
    functions.load('tenant-a');
    const tokens: TokenType[] = [...ALL_SCOPES, { interface: 'webhooks', scope: 'api/all' }];

    await run(['tenant-a'], { tokens });
    await run(['tenant-a'], { tokens });

    expect(functions.credentialLooks).toEqual(['tenant-a', 'tenant-a']);
  });

  test('include the credential once for tokens that are renewed together, and again after ten seconds', async () => {
    functions.load('tenant-a');
    functions.issuer.latencyMs = 4_000;

    await run(['tenant-a'], { tokens: ALL_SCOPES });
    expect(functions.credentialReads).toEqual(['tenant-a']);

    functions.load('tenant-a', 'credential-2');
    delete functions.memory.pace;
    await run(['tenant-a'], { tokens: ALL_SCOPES, tokenRequestsPerSec: 0.08 });
    expect(functions.credentialReads).toHaveLength(4);
    expect(functions.current(keyOf('tenant-a'))?.credentialVersionId).toBe(versionIdOf('credential-2'));
  });

  test('include a credential again after a read that failed', async () => {
    functions.load('tenant-a');
    functions.failReads('AccessDeniedException', { secret: credentialSecretOf(keyOf('tenant-a')) });

    expect(await outcomes(['tenant-a'], { tokens: ALL_SCOPES })).toEqual([
      'store_unavailable',
      'refreshed',
      'refreshed',
    ]);
  });

  test('include a credential again if the platform refuses the one that another token has read', async () => {
    functions.load('tenant-a');
    functions.issuer.always = ({ clientSecret }) => {
      const isFirst = functions.issuer.requests.length === 1;
      if (isFirst) functions.load('tenant-a', 'credential-2');
      return isFirst || clientSecret.endsWith('credential-2') ? {} : REFUSED;
    };

    const answer = await run(['tenant-a'], { tokens: ALL_SCOPES });

    expect(answer).toMatchObject({ ok: true, refreshed: 3, failed: 0 });
    expect(functions.credentialReads).toHaveLength(2);
    expect(functions.metrics.faults).toEqual({});
  });

  test('include no value of a token without a credential, and its ARN once', async () => {
    const calls = () => functions.secrets.commands.map(({ operation }) => operation);

    await run(['tenant-a']);
    expect(calls()).toEqual(['DescribeSecret', 'DescribeSecret']);

    functions.load('tenant-a');
    await run(['tenant-a']);
    expect(calls().slice(2)).toEqual([
      'DescribeSecret',
      'GetSecretValue',
      'GetSecretValue',
      'PutSecretValue',
    ]);
  });
});

test('a token that lives for 20 minutes never expires in two days of late sweeps, within the write budget', async () => {
  functions.load('tenant-a');
  functions.issuer.lifeMs = 20 * MINUTE_MS;
  const startMs = functions.clock.nowMs();
  const current = () => functions.current(keyOf('tenant-a'))!;
  await run(['tenant-a']);

  for (let sweeps = 1; sweeps < 48 * 12; sweeps += 1) {
    const lateMs = ((sweeps * 7) % 21) * 1000;
    functions.clock.advance(startMs + sweeps * 5 * MINUTE_MS + lateMs - functions.clock.nowMs());
    expect(current().expiresAtMs).toBeGreaterThan(functions.clock.nowMs());
    await run(['tenant-a']);
  }

  expect(current().writesMs.length).toBeLessThanOrEqual(96);
});

describe('a tenant that fails', () => {
  test('does not stop the others', async () => {
    functions.loadAll(...THREE);
    functions.issuer.always = ({ tenantId }) => (tenantId === 'tenant-b' ? REFUSED : {});

    const answer = await run();

    const { code, message } = REFUSED;
    expect(answer).toMatchObject({ ok: false, tokens: 3, refreshed: 2, failed: 1 });
    expect(answer.tenants[1]?.tokens[0]).toMatchObject({ outcome: code, message });
    expect(functions.log.lines[0]).toEqual({
      level: 'error',
      message: 'token not renewed',
      tenantId: 'tenant-b',
      interface: 'content',
      scope: 'api/read',
      code,
      detail: message,
    });
  });

  describe('whose credential cannot be described', () => {
    const secret = credentialSecretOf(keyOf('tenant-b'));
    beforeEach(() => {
      functions.loadAll(...THREE);
      const denied = { operation: 'DescribeSecret', secret, name: 'AccessDeniedException' };
      functions.secrets.faults.push({ ...denied, times: Infinity });
    });

    test('gets a due token renewed, and the fault is counted', async () => {
      functions.store({ lifeLeftMs: 19 * MINUTE_MS }, keyOf('tenant-b'));

      expect(await run()).toMatchObject({ ok: true, refreshed: 3, failed: 0 });
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
      functions.issuer.always = ({ tenantId }) => (tenantId === 'tenant-b' ? REFUSED : {});

      expect(await outcomes()).toEqual(['refreshed', 'credential_refused', 'refreshed']);
      expect(functions.metrics.counts.TokenRenewalFailed).toBe(1);
      expect(functions.metrics.faults).toEqual({ credential_refused: 1 });
    });

    test('because the call hangs still has time for its renewal', async () => {
      functions.credentials.currentVersionId = async (_, timeoutMs = Infinity) => {
        await functions.clock.sleep(Math.min(timeoutMs, MINUTE_MS));
        throw new StoreError('unavailable', 'no answer in time');
      };
      functions.issuer.latencyMs = 1_000;

      expect(await outcomes()).toEqual(['refreshed', 'refreshed', 'refreshed']);
    });
  });

  test('in an outage of all is reported within a minute, is not asked for in every sweep, but is once it is over', async () => {
    const hundred = tenants(100);
    functions.loadAll(...hundred, 'tenant-new');
    functions.issuer.latencyMs = MINUTE_MS;
    functions.issuer.always = () => DOWN;
    let answer;
    expect(await timeOf(run(hundred, { tokens: ALL_SCOPES }).then((ended) => (answer = ended)))).toBeLessThan(
      MINUTE_MS,
    );
    expect(JSON.stringify(answer)).not.toContain('skipped');
    functions.clock.advance(5 * MINUTE_MS);
    functions.issuer.requests.length = 0;

    await expect(run([...hundred, 'tenant-new'])).resolves.toMatchObject({ ok: false, failed: 101 });

    // Those that were on their way are the most.
    expect(functions.issuer.requests.length).toBeLessThan(60);
    expect(requestedTenants()).toContain('tenant-new');
    functions.issuer.latencyMs = 0;
    functions.issuer.always = () => ({});
    functions.clock.advance(5 * MINUTE_MS);
    await expect(run(hundred)).resolves.toMatchObject({ ok: true, refreshed: 100 });
  });

  test('slowly and for hours, as a dozen do, never keeps the others from being renewed', async () => {
    const all = [...tenants(12, 'bad'), ...MANY];
    functions.loadAll(...all);
    await run(all);
    functions.issuer.always = ({ tenantId }) => {
      if (!tenantId.startsWith('bad')) return {};
      functions.clock.advance(5_000);
      return DOWN;
    };

    for (let minute = 0; minute < 2 * 60; minute += 5) {
      functions.clock.advance(5 * MINUTE_MS);
      await run(all);

      const expiriesMs = MANY.map((tenantId) => functions.current(keyOf(tenantId))!.expiresAtMs);
      expect(Math.min(...expiriesMs) - functions.clock.nowMs()).toBeGreaterThan(MIN_NORMAL_LIFE_SEC * 1000);
    }
  });
});

describe('a tenant without a credential', () => {
  test('that was never loaded is no failure, logs no error, and causes no request', async () => {
    functions.load('tenant-a');

    expect(await outcomes(['tenant-a', 'tenant-b'])).toEqual(['refreshed', 'not_loaded']);
    expect(functions.log.lines).toMatchObject([{ level: 'info', refreshed: 1, failed: 0 }]);
    expect(functions.metrics.counts).toEqual({ TokenRequest: 1, TokenRenewed: 1 });
    expect(functions.metrics.faults).toEqual({});
  });

  test('that was loaded and is gone is a failure, because its tokens will expire', async () => {
    functions.load('tenant-a');
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

describe('the deadline', () => {
  test('leaves tokens that were not started to the next sweep, and reports them', async () => {
    functions.loadAll(...FORTY);
    functions.issuer.latencyMs = 2_000;

    const first = await outcomes(FORTY, { endsInMs: 3_000 });
    const second = await outcomes(FORTY);

    expect(first.filter((outcome) => outcome === 'refreshed')).toHaveLength(32);
    expect(first.filter((outcome) => outcome === 'skipped')).toHaveLength(8);
    expect(second.filter((outcome) => outcome === 'refreshed')).toHaveLength(8);
  });

  test('leaves time for a slow answer and its write to a request that waits for its turn, or starts none', async () => {
    functions.loadAll(...MANY);

    const { refreshed, failed } = await run(MANY, { endsInMs: 14_000, tokenRequestsPerSec: 2 });

    // Two need not wait, 15 have their turns after 200 ms to 7,200 ms, and the next would have it after 7,700 ms.
    expect({ refreshed, failed }).toEqual({ refreshed: 17, failed: 3 });
    expect(functions.issuer.requests).toHaveLength(17);
    expect(functions.metrics.counts.TokenRenewalFailed).toBeUndefined();
    expect(functions.memory.failing.size).toBe(0);
  });
});

describe('the rate of a sweep', () => {
  const sweepAt = (tokenRequestsPerSec: number, tenantIds = MANY, endsInMs = 4 * MINUTE_MS) =>
    run(tenantIds, { tokenRequestsPerSec, endsInMs });

  test('is 10 requests a second by default, over all tenants', async () => {
    functions.loadAll(...FORTY);

    const tookMs = await timeOf(run(FORTY, { tokenRequestsPerSec: undefined }));

    expect(tookMs).toBeGreaterThanOrEqual(3_000);
    expect(tookMs).toBeLessThan(4_000);
  });

  test('counts the requests with former credentials', async () => {
    storeAll(FORTY, () => ({ lifeLeftMs: 19 * MINUTE_MS }));
    for (const tenantId of FORTY) functions.load(tenantId, 'credential-2');
    functions.issuer.always = ({ clientSecret }) => (clientSecret.endsWith('credential-2') ? REFUSED : {});

    const tookMs = await timeOf(sweepAt(2, FORTY));

    expect(functions.issuer.requests).toHaveLength(80);
    // Forty requests take 19 s. The first 32 turns are given before any former credential is known to be needed.
    expect(tookMs).toBeGreaterThanOrEqual(22_000);
  });

  /** Lets the first requests of one of many tenants fail. */
  function failFirst(failure: TokenError, times = Infinity) {
    functions.loadAll('tenant-a', ...MANY);
    let failures = 0;
    functions.issuer.always = ({ tenantId }) =>
      tenantId === 'tenant-a' && (failures += 1) <= times ? failure : {};
    return sweepAt(10, ['tenant-a', ...MANY]);
  }
  const limited = (retryAfterMs: number) =>
    new PlatformUnavailableError('the token endpoint answered 429', { retryAfterMs, isRateLimit: true });

  test('gives another turn to a token that the platform refused for its limit, once the others are done', async () => {
    await expect(failFirst(limited(1_000), 3)).resolves.toMatchObject({
      refreshed: MANY.length + 1,
      failed: 0,
    });

    expect(requestedTenants().lastIndexOf('tenant-a')).toBe(MANY.length + 3);
  });

  test.each([
    ['is no limit', DOWN, 3],
    ['lasts', limited(20_000), 1],
  ])('gives no other turn to a token whose failure %s', async (_, failure, requests) => {
    await expect(failFirst(failure)).resolves.toMatchObject({ failed: 1 });

    expect(functions.issuer.requests).toHaveLength(MANY.length + requests);
    expect(functions.metrics.counts.TokenRenewalFailed).toBe(1);
  });

  test('gives every 16th turn to a tenant that failed: first after the fewest failures, last if it was refused', async () => {
    const failing = ['tenant-a', 'tenant-b', 'tenant-c'];
    functions.loadAll(...failing, ...tenants(50));
    for (const [at, tenantId] of failing.entries())
      functions.memory.failing.set(tenantAtInterface(keyOf(tenantId)), [2, 1, 1][at]!);
    functions.memory.refused.add(tokenKeyText(keyOf('tenant-c')));

    await sweepAt(1000, [...failing, ...tenants(50)]);

    const turns = failing.map((tenantId) => requestedTenants().indexOf(tenantId));
    expect(turns).toEqual([31, 15, 47]);
  });

  test('in a new process goes to the token that expires first, if it has no turn for every token', async () => {
    storeAll(FORTY, (index) => ({ lifeLeftMs: (19 - index / 10) * MINUTE_MS }));

    const { refreshed } = await sweepAt(0.5, FORTY, MINUTE_MS);

    expect(refreshed).toBeLessThan(40);
    expect(requestedTenants()).toEqual(FORTY.toReversed().slice(0, refreshed));
  });

  test('replaces a token of a former credential, even if it has no turn for every token that is due', async () => {
    storeAll(FORTY, (index) => ({ lifeLeftMs: (index === 0 ? 60 : 28) * MINUTE_MS }));
    await sweepAt(1000, FORTY);
    functions.clock.advance(9 * MINUTE_MS);
    functions.load(FORTY[0]!, 'credential-2');
    delete functions.memory.pace;

    const { tenants: swept } = await sweepAt(0.5, FORTY, MINUTE_MS);

    expect(swept[0]!.tokens[0]!.outcome).toBe('refreshed');
    expect(swept.filter(({ tokens }) => tokens[0]!.outcome === 'skipped').length).toBeGreaterThan(0);
  });

  test('leaves tokens that come due together to no sweep that cannot do them all', async () => {
    storeAll(MANY, (index) => ({ lifeLeftMs: 28 * MINUTE_MS + index }));
    await sweepAt(1000);
    expect(functions.issuer.requests).toEqual([]);
    // All are due in the next sweep but one, and at this rate a sweep can renew eight.
    delete functions.memory.pace;

    const { refreshed } = await sweepAt(0.04);

    expect(refreshed).toBe(20 - 2 * 8);
    expect(functions.issuer.requests).toHaveLength(20 - 2 * 8);
  });

  test('plans with the rate that the platform accepts', async () => {
    storeAll(FORTY, (index) => ({ lifeLeftMs: 23 * MINUTE_MS + index }));
    // All are due in the next sweep, which can renew 51 at one request a second.
    await expect(sweepAt(1, FORTY, MINUTE_MS)).resolves.toMatchObject({ refreshed: 0 });

    for (const tenantId of THREE) functions.memory.pace!.limited(functions.clock, tenantId);

    // At half of that rate, it can renew 25.
    await expect(sweepAt(1, FORTY, MINUTE_MS)).resolves.toMatchObject({ refreshed: 40 - 25 });
  });

  describe('with tokens that are renewed ahead', () => {
    /** At this rate, one of the tokens has a turn in twenty seconds, and nearly all would need one. */
    const aheadInTwentySeconds = async () => {
      const before = functions.tokenReads.length;
      const { ok, refreshed } = await sweepAt(0.04, FORTY, 20_000);
      return { ok, refreshed, reads: functions.tokenReads.length - before };
    };

    async function haveSeen(writesMs: number[] = []): Promise<void> {
      storeAll(FORTY, () => ({ lifeLeftMs: 28 * MINUTE_MS, writesMs }));
      await sweepAt(1000, FORTY);
      delete functions.memory.pace;
    }

    test('counts those without a turn as fresh, and reads only those that started before', async () => {
      await haveSeen();

      expect(await aheadInTwentySeconds()).toEqual({ ok: true, refreshed: 1, reads: 32 });
    });

    test('counts those as fresh that it has no time to look at', async () => {
      await haveSeen();

      await expect(run(FORTY, { endsInMs: 1_000 })).resolves.toMatchObject({ ok: true, refreshed: 0 });
    });

    test('keeps the write budget for when they are due', async () => {
      await haveSeen(Array.from({ length: 50 }, (_, index) => functions.clock.nowMs() - index * MINUTE_MS));

      expect(await aheadInTwentySeconds()).toEqual({ ok: true, refreshed: 0, reads: 0 });
    });
  });
});

import { ensure } from '../../../lambdas/token-refresh/ensure';
import { sweep } from '../../../lambdas/token-refresh/sweep';
import { sha256Hex } from '../../../core/secrets/sha256';
import { interpretTokenAnswer } from '../../../core/tokens/token-answer';
import { type TokenError } from '../../../core/tokens/token-errors';
import { type DeployedProfile } from '../../../core/deployment/deployment-file';
import { deploymentOf, KEY, keyOf, MINUTE_MS, TENANT_ID } from '../../support/lambdas/token-functions';
import { TokenFunctions } from './support/token-functions';

const HOUR_MS = 60 * MINUTE_MS;
const SWEEP_MS = 5 * MINUTE_MS;
const sameUntil = (sameTokenUntilSec: number): DeployedProfile => ({
  tokenEndpoint: { path: '/token' },
  answer: { sameTokenUntilSec },
});

/** How an issuer that returns the same token differs from one whose tokens live for an hour, and what it serves. */
interface SameTokens {
  untilMs?: number;
  lifeMs?: number;
  /** By how much its clock is ahead. */
  aheadMs?: number;
  /** The life of the tokens that it returns at first, which others got before. */
  firstLifeMs?: readonly number[];
  latencyMs?: number;
}

/** An issuer that returns the same token until it has this much left. Its answers have whole seconds and a Date header. */
class SameTokenIssuer {
  readonly functions = new TokenFunctions();
  readonly untilMs: number;
  readonly tenantIds: string[];
  readonly #tokens = new Map<string, { name: string; expiresAtMs: number }>();
  #issued = 0;

  constructor({
    untilMs = 0,
    lifeMs = HOUR_MS,
    aheadMs = 0,
    firstLifeMs = [lifeMs],
    latencyMs = 0,
  }: SameTokens = {}) {
    this.untilMs = untilMs;
    this.tenantIds = firstLifeMs.map((_, index) => (index === 0 ? TENANT_ID : `${TENANT_ID}-${index}`));
    const { clock, issuer } = this.functions;
    for (const tenantId of this.tenantIds) this.functions.load(tenantId);
    issuer.latencyMs = latencyMs;
    issuer.always = ({ tenantId }) => {
      const nowMs = clock.nowMs() + aheadMs;
      let token = this.#tokens.get(tenantId);
      if (token === undefined || token.expiresAtMs - nowMs <= untilMs) {
        this.#issued += 1;
        const life = token === undefined ? firstLifeMs[this.tenantIds.indexOf(tenantId)]! : lifeMs;
        token = { name: `same-${this.#issued}`, expiresAtMs: nowMs + life };
        this.#tokens.set(tenantId, token);
      }
      const expiresIn = Math.floor((token.expiresAtMs - nowMs) / 1000);
      const body = JSON.stringify({
        access_token: token.name,
        token_type: 'Bearer',
        expires_in: expiresIn,
      });
      const headers = { date: new Date(nowMs).toUTCString() };
      const requestedAtMs = clock.nowMs() - latencyMs;
      const profile = sameUntil(untilMs / 1000);
      try {
        return interpretTokenAnswer({ status: 200, headers, body }, { scope: '' }, requestedAtMs, profile);
      } catch (error) {
        return error as TokenError;
      }
    };
  }

  get issued() {
    return this.#issued;
  }

  sweep(isOfChanged = false) {
    const { functions, untilMs, tenantIds } = this;
    const deployment = deploymentOf(tenantIds, { profile: sameUntil(untilMs / 1000) });
    return sweep(functions, deployment, functions.clock.monotonicMs() + 4 * MINUTE_MS, isOfChanged);
  }

  /** Sweeps on schedule, and returns the longest time without a valid token, the least TokenLifeLeft, and faults. */
  async operate(hours: number) {
    const { clock, metrics } = this.functions;
    const endMs = clock.nowMs() + hours * HOUR_MS;
    const faults = new Set<unknown>();
    let [darkMs, minLifeSec] = [-Infinity, Infinity];
    const stored = () => this.tenantIds.map((tenantId) => this.functions.current(keyOf(tenantId))!);
    await this.sweep();
    for (let startMs = clock.nowMs() + SWEEP_MS; startMs < endMs; startMs += SWEEP_MS) {
      clock.advance(startMs - clock.nowMs());
      const before = stored();
      const answer = await this.sweep();
      if (!answer.ok) faults.add(answer);
      stored().forEach((after, index) => {
        if (after.accessToken !== before[index]!.accessToken)
          darkMs = Math.max(darkMs, after.writesMs.at(-1)! - before[index]!.expiresAtMs);
      });
      minLifeSec = Math.min(minLifeSec, metrics.takeMeasured().TokenLifeLeft ?? Infinity);
    }
    const { TokenBlocked, TokenRenewalFailed } = metrics.counts;
    for (const count of [TokenBlocked, TokenRenewalFailed]) if (count !== undefined) faults.add(count);
    return { darkMs, minLifeSec, faults: [...faults] };
  }
}

/** A sweep that ends before the moment leaves it to the next one. Answers have whole seconds. */
const MAX_DARK_MS = 80_000;

test('a token that its issuer returns until it expires is renewed in that moment, with one request an hour', async () => {
  // Not a multiple of the time between two sweeps, so that it expires at any time between them.
  const issuer = new SameTokenIssuer({ lifeMs: HOUR_MS + 73_700 });

  const { darkMs, minLifeSec, faults } = await issuer.operate(24);

  expect(faults).toEqual([]);
  expect(darkMs).toBeLessThanOrEqual(MAX_DARK_MS);
  expect(issuer.functions.issuer.requests.length).toBe(issuer.issued);
  expect(issuer.issued).toBeGreaterThanOrEqual(23);
  // The alarm on expiring tokens fires below five minutes.
  expect(minLifeSec).toBeGreaterThan(10 * 60);
});

test('a token that its issuer replaces some minutes before is renewed as soon as it does', async () => {
  const issuer = new SameTokenIssuer({ untilMs: 10 * MINUTE_MS });

  const { darkMs, faults } = await issuer.operate(24);

  expect(faults).toEqual([]);
  expect(darkMs).toBeLessThan(-5 * MINUTE_MS);
  expect(issuer.functions.issuer.requests.length).toBe(issuer.issued);
});

test.each([-90_000, 90_000])(
  'an issuer whose clock is off by %i ms is asked when it has another',
  async (aheadMs) => {
    const issuer = new SameTokenIssuer({ lifeMs: HOUR_MS + 73_700, aheadMs });

    const { darkMs, faults } = await issuer.operate(24);

    expect(faults).toEqual([]);
    // By its Date header, its tokens expire early.
    expect(darkMs).toBeLessThanOrEqual(MAX_DARK_MS + 90_000);
    expect(issuer.functions.issuer.requests.length).toBe(issuer.issued);
  },
);

test('the rest of a token that others got before is no short life, which would delay the next renewal', async () => {
  const issuer = new SameTokenIssuer({ firstLifeMs: [6 * MINUTE_MS] });

  const { darkMs, faults } = await issuer.operate(3);

  expect(faults).toEqual([]);
  expect(darkMs).toBeLessThanOrEqual(MAX_DARK_MS);
});

test('tokens of many tenants that end while others are renewed do not wait for the next sweep', async () => {
  const firstLifeMs = Array.from({ length: 40 }, (_, index) => HOUR_MS + 173_000 + index * 400);
  const issuer = new SameTokenIssuer({ firstLifeMs, lifeMs: HOUR_MS + 73_700, latencyMs: 3_000 });

  const { darkMs, faults } = await issuer.operate(6);

  expect(faults).toEqual([]);
  expect(darkMs).toBeLessThanOrEqual(MAX_DARK_MS);
});

test('a sweep of tenants whose secrets changed waits for no token, because none on schedule can run meanwhile', async () => {
  const issuer = new SameTokenIssuer({ firstLifeMs: [2 * MINUTE_MS] });

  await issuer.sweep(true);

  expect(issuer.functions.clock.sleepsMs).toEqual([]);
});

describe('a caller who needs a longer validity than the issuer has', () => {
  const ask = (functions: TokenFunctions, request: { minValidityMs: number; rejectedTokenSha256?: string }) =>
    ensure(
      functions,
      { key: KEY, rejectedTokenSha256: undefined, ...request },
      functions.clock.monotonicMs() + MINUTE_MS,
    );

  test('gets the only token without a request', async () => {
    const { functions } = new SameTokenIssuer();
    functions.store({ lifeLeftMs: 30_000, sameUntilMs: functions.clock.nowMs() + 30_000 });

    await expect(ask(functions, { minValidityMs: 60_000 })).resolves.toMatchObject({
      ok: true,
      refreshed: false,
    });
    expect(functions.issuer.requests).toEqual([]);
  });

  test('gets a failure if it was refused, and the issuer has no other', async () => {
    const { functions } = new SameTokenIssuer();
    await ask(functions, { minValidityMs: 0 });
    const { accessToken, expiresAtMs } = functions.current()!;
    const minute = new Date(expiresAtMs).toISOString().slice(0, 16);

    await expect(
      ask(functions, { minValidityMs: 0, rejectedTokenSha256: sha256Hex(accessToken) }),
    ).resolves.toMatchObject({
      ok: false,
      error: {
        code: 'bad_platform_answer',
        message: expect.stringContaining(
          `the token that is already stored, as it does until ${minute}`,
        ) as string,
      },
    });
  });

  test('gets the same token again with the credential that replaced the first', async () => {
    const { functions } = new SameTokenIssuer();
    await ask(functions, { minValidityMs: 0 });
    const before = functions.current()!;
    functions.load(TENANT_ID, 'credential-2');
    functions.clock.advance(10 * MINUTE_MS);

    await sweep(
      functions,
      deploymentOf([TENANT_ID], { profile: sameUntil(0) }),
      functions.clock.monotonicMs() + 4 * MINUTE_MS,
    );

    expect(functions.current()).toMatchObject({
      accessToken: before.accessToken,
      expiresAtMs: before.expiresAtMs,
      credentialVersionId: expect.stringContaining('credential-2') as string,
    });
  });
});

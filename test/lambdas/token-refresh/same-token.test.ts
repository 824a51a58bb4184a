import { sha256Hex } from '../../../core/secrets/sha256';
import { interpretTokenAnswer } from '../../../core/tokens/token-answer';
import { type TokenError } from '../../../core/tokens/token-errors';
import { type DeployedProfile } from '../../../core/deployment/deployment-file';
import { keyOf, MINUTE_MS, TENANT_ID } from '../../support/lambdas/token-functions';
import { TokenFunctions, versionIdOf } from './support/token-functions';

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
    this.functions.loadAll(...this.tenantIds);
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
      const body = JSON.stringify({ access_token: token.name, token_type: 'Bearer', expires_in: expiresIn });
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

  sweep(onlyChanged = false) {
    return this.functions.sweep(this.tenantIds, { profile: sameUntil(this.untilMs / 1000), onlyChanged });
  }

  /** Sweeps on schedule without a failure. @returns the longest time without a valid token, and what it took */
  async operate(hours = 24) {
    const { clock, metrics } = this.functions;
    const endMs = clock.nowMs() + hours * HOUR_MS;
    let [darkMs, minLifeSec] = [-Infinity, Infinity];
    const stored = () => this.tenantIds.map((tenantId) => this.functions.current(keyOf(tenantId))!);
    await this.sweep();
    for (let startMs = clock.nowMs() + SWEEP_MS; startMs < endMs; startMs += SWEEP_MS) {
      clock.advance(startMs - clock.nowMs());
      const before = stored();
      expect(await this.sweep()).toMatchObject({ ok: true });
      stored().forEach((after, index) => {
        if (after.accessToken !== before[index]!.accessToken)
          darkMs = Math.max(darkMs, after.writesMs.at(-1)! - before[index]!.expiresAtMs);
      });
      minLifeSec = Math.min(minLifeSec, metrics.takeMeasured().TokenLifeLeft ?? Infinity);
    }
    expect(metrics.counts).not.toHaveProperty('TokenBlocked');
    expect(metrics.counts).not.toHaveProperty('TokenRenewalFailed');
    return { darkMs, minLifeSec, requests: this.functions.issuer.requests.length, issued: this.#issued };
  }
}

/** A sweep that ends before the moment leaves it to the next one. Answers have whole seconds. */
const MAX_DARK_MS = 80_000;
/** Not a multiple of the time between two sweeps, so that a token expires at any time between them. */
const lifeMs = HOUR_MS + 73_700;

test('a token that its issuer returns until it expires is renewed in that moment, with one request an hour', async () => {
  const { darkMs, minLifeSec, requests, issued } = await new SameTokenIssuer({ lifeMs }).operate();

  expect(darkMs).toBeLessThanOrEqual(MAX_DARK_MS);
  expect(requests).toBe(issued);
  expect(issued).toBeGreaterThanOrEqual(23);
  // The alarm on expiring tokens fires below five minutes.
  expect(minLifeSec).toBeGreaterThan(10 * 60);
});

test.each<[string, SameTokens, number]>([
  ['replaces some minutes before it expires', { untilMs: 10 * MINUTE_MS }, -5 * MINUTE_MS],
  // By the issuer's Date header, its tokens expire early.
  ['dates by a clock that is behind', { lifeMs, aheadMs: -90_000 }, MAX_DARK_MS + 90_000],
  ['dates by a clock that is ahead', { lifeMs, aheadMs: 90_000 }, MAX_DARK_MS + 90_000],
])(
  'a token that its issuer %s is renewed as soon as there is another, with one request',
  async (_, change, maxDarkMs) => {
    const { darkMs, requests, issued } = await new SameTokenIssuer(change).operate();

    expect(darkMs).toBeLessThanOrEqual(maxDarkMs);
    expect(requests).toBe(issued);
  },
);

const manyLivesMs = Array.from({ length: 40 }, (_, index) => HOUR_MS + 173_000 + index * 400);
test.each<[string, SameTokens]>([
  ['others got before, whose rest is no short life,', { firstLifeMs: [6 * MINUTE_MS] }],
  ['end together, 40 of them,', { firstLifeMs: manyLivesMs, lifeMs, latencyMs: 3_000 }],
])('tokens that %s do not wait for the next sweep', async (_, change) => {
  const { darkMs } = await new SameTokenIssuer(change).operate(6);

  expect(darkMs).toBeLessThanOrEqual(MAX_DARK_MS);
});

test('a sweep of tenants whose secrets changed waits for no token, because none on schedule can run meanwhile', async () => {
  const issuer = new SameTokenIssuer({ firstLifeMs: [2 * MINUTE_MS] });

  await issuer.sweep(true);

  expect(issuer.functions.clock.sleepsMs).toEqual([]);
});

describe('a caller who needs a longer validity than the issuer has', () => {
  let issuer: SameTokenIssuer;
  let functions: TokenFunctions;
  beforeEach(() => {
    issuer = new SameTokenIssuer();
    ({ functions } = issuer);
  });

  test('gets the only token without a request', async () => {
    functions.store({ lifeLeftMs: 30_000, sameUntilMs: functions.clock.nowMs() + 30_000 });

    await expect(functions.ensure()).resolves.toMatchObject({ ok: true, refreshed: false });
    expect(functions.issuer.requests).toEqual([]);
  });

  test('gets a failure if it was refused, and the issuer has no other', async () => {
    await functions.ensure();
    const { accessToken, expiresAtMs } = functions.current()!;
    const minute = new Date(expiresAtMs).toISOString().slice(0, 16);

    const answer = await functions.ensure({ rejectedTokenSha256: sha256Hex(accessToken) });

    expect(answer).toMatchObject({ ok: false, error: { code: 'bad_platform_answer' } });
    const reason = `the token that is already stored, as it does until ${minute}`;
    expect(JSON.stringify(answer)).toContain(reason);
  });

  test('gets the same token again with the credential that replaced the first', async () => {
    await functions.ensure();
    const { accessToken, expiresAtMs } = functions.current()!;
    functions.load(TENANT_ID, 'credential-2');
    functions.clock.advance(10 * MINUTE_MS);

    await issuer.sweep();

    const credentialVersionId = versionIdOf('credential-2');
    expect(functions.current()).toMatchObject({ accessToken, expiresAtMs, credentialVersionId });
  });
});

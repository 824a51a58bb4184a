import { ensure } from '../../../lambdas/token-refresh/ensure';
import { sweep } from '../../../lambdas/token-refresh/sweep';
import { sha256Hex } from '../../../core/secrets/sha256';
import { type EngineProfile } from '../../../core/deployment/deployment-file';
import { deploymentOf, KEY, MINUTE_MS, TENANT_ID } from '../../support/lambdas/token-functions';
import { TokenFunctions } from './support/token-functions';

const HOUR_MS = 60 * MINUTE_MS;
const SWEEP_MS = 5 * MINUTE_MS;
const sameUntil = (sameTokenUntilSec: number): EngineProfile => ({
  tokenEndpoint: { path: '/token' },
  answer: { sameTokenUntilSec },
});

/** An issuer that returns the same token until it has this much left, in whole seconds as answers have them. */
class SameTokenIssuer {
  readonly functions = new TokenFunctions();
  #token = { name: '', expiresAtMs: 0 };
  #issued = 0;

  readonly untilMs: number;

  constructor(untilMs = 0, lifeMs = HOUR_MS) {
    this.untilMs = untilMs;
    const { clock, issuer } = this.functions;
    issuer.always = () => {
      const nowMs = clock.nowMs();
      if (this.#token.expiresAtMs - nowMs <= untilMs) {
        this.#issued += 1;
        this.#token = { name: `same-${this.#issued}`, expiresAtMs: nowMs + lifeMs };
      }
      const leftMs = Math.floor((this.#token.expiresAtMs - nowMs) / 1000) * 1000;
      const expiresAtMs = nowMs + leftMs;
      return { accessToken: this.#token.name, expiresAtMs, sameUntilMs: expiresAtMs - untilMs };
    };
  }

  get issued() {
    return this.#issued;
  }

  sweep() {
    const { functions, untilMs } = this;
    const deployment = deploymentOf([TENANT_ID], { profile: sameUntil(untilMs / 1000) });
    return sweep(functions, deployment, functions.clock.monotonicMs() + 4 * MINUTE_MS);
  }

  /** Sweeps on schedule, and returns the longest time without a valid token, the least TokenLifeLeft, and faults. */
  async operate(hours: number) {
    const { clock, metrics } = this.functions;
    const endMs = clock.nowMs() + hours * HOUR_MS;
    const faults = new Set<unknown>();
    let [darkMs, leastLifeSec] = [-Infinity, Infinity];
    await this.sweep();
    for (let startMs = clock.nowMs() + SWEEP_MS; startMs < endMs; startMs += SWEEP_MS) {
      clock.advance(startMs - clock.nowMs());
      const before = this.functions.current()!;
      const answer = await this.sweep();
      if (!answer.ok) faults.add(answer);
      const after = this.functions.current()!;
      if (after.accessToken !== before.accessToken) {
        darkMs = Math.max(darkMs, after.writesMs.at(-1)! - before.expiresAtMs);
      }
      leastLifeSec = Math.min(leastLifeSec, metrics.takeMeasured().TokenLifeLeft ?? Infinity);
    }
    const { TokenBlocked, TokenRenewalFailed } = metrics.counts;
    for (const count of [TokenBlocked, TokenRenewalFailed]) if (count !== undefined) faults.add(count);
    return { darkMs, leastLifeSec, faults: [...faults] };
  }
}

test('a token that its issuer returns until it expires is renewed in that moment, with one request an hour', async () => {
  // Not a multiple of the time between two sweeps, so that it expires at any time between them.
  const issuer = new SameTokenIssuer(0, HOUR_MS + 73_000);

  const { darkMs, leastLifeSec, faults } = await issuer.operate(24);

  expect(faults).toEqual([]);
  // Answers have whole seconds. A sweep that ends before the moment leaves it to the next one.
  expect(darkMs).toBeLessThanOrEqual(70_000);
  expect(issuer.functions.issuer.requests.length).toBe(issuer.issued);
  expect(issuer.issued).toBeGreaterThanOrEqual(23);
  // The alarm on expiring tokens fires below five minutes.
  expect(leastLifeSec).toBeGreaterThan(10 * 60);
});

test('a token that its issuer replaces some minutes before is renewed as soon as it does', async () => {
  const issuer = new SameTokenIssuer(10 * MINUTE_MS);

  const { darkMs, faults } = await issuer.operate(24);

  expect(faults).toEqual([]);
  expect(darkMs).toBeLessThan(-5 * MINUTE_MS);
  expect(issuer.functions.issuer.requests.length).toBe(issuer.issued);
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
    const rejectedTokenSha256 = sha256Hex(functions.current()!.accessToken);

    await expect(ask(functions, { minValidityMs: 0, rejectedTokenSha256 })).resolves.toMatchObject({
      ok: false,
      error: { code: 'bad_platform_answer' },
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

import fc from 'fast-check';

import { dueBelowMs, dueFromMs, isDue } from '../../../core/tokens/token-lifetime';
import { type TokenKey } from '../../../core/tokens/token-key';
import { KEY, keyOf } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const MINUTE_MS = 60_000;
/** A token that lives for some minutes, with this much of them left at noon. */
const tokenOf = (lifeMin: number, leftMs = lifeMin * MINUTE_MS) => ({
  issuedAtMs: NOON_MS + leftMs - lifeMin * MINUTE_MS,
  expiresAtMs: NOON_MS + leftMs,
});

describe('the time to expiry below which a token is due', () => {
  test('is 20 min and a jitter of 0–60 s, constant for a key, so that a due token does not become fresh again', () => {
    const anyKey = fc.string().map((tenantId): TokenKey => ({ ...KEY, tenantId }));

    fc.assert(
      fc.property(anyKey, (key) => {
        const dueMs = dueBelowMs(key, tokenOf(60));
        expect(dueMs).toBeGreaterThanOrEqual(20 * MINUTE_MS);
        expect(dueMs).toBeLessThanOrEqual(21 * MINUTE_MS);
        expect(dueBelowMs({ ...key }, tokenOf(60))).toBe(dueMs);
      }),
    );
  });

  test('spreads tenants over a minute', () => {
    const dueMs = Array.from({ length: 500 }, (_, index) =>
      dueBelowMs(keyOf(`tenant-${index}`), tokenOf(60)),
    );
    const quarters = new Set(dueMs.map((ms) => Math.floor((ms - 20 * MINUTE_MS) / 15_000)));

    expect([...quarters].sort()).toEqual([0, 1, 2, 3]);
  });

  test('is an exact limit', () => {
    const dueMs = Math.ceil(dueBelowMs(KEY, tokenOf(60)));
    const isDueWith = (leftMs: number) => isDue(KEY, tokenOf(60, leftMs), NOON_MS);

    expect([dueMs, dueMs - 1, -1].map(isDueWith)).toEqual([false, true, true]);
  });

  test.each([
    [35, 20],
    [30, 16],
    [20, 6],
    [15, 1],
    [10, -4],
  ])(
    'of a token that lives for %d min is at most %d min, so that 96 renewals last for a day',
    (lifeMin, dueMin) => {
      const token = tokenOf(lifeMin);

      expect(Math.floor(dueBelowMs(KEY, token) / MINUTE_MS)).toBe(dueMin);
      expect(dueFromMs(token)).toBeLessThanOrEqual(token.expiresAtMs - dueBelowMs(KEY, token));
    },
  );

  test('counts only once the issuer gives out another token', () => {
    const token = { ...tokenOf(60, 0), sameUntilMs: NOON_MS };

    expect([isDue(KEY, token, NOON_MS), isDue(KEY, token, NOON_MS + 1)]).toEqual([false, true]);
  });
});

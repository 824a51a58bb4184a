import fc from 'fast-check';

import { dueBelowMs, dueFromMs, isDue } from '../../../core/tokens/token-lifetime';
import { type TokenKey } from '../../../core/tokens/token-key';
import { KEY, keyOf } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const HOUR = { issuedAtMs: 0, expiresAtMs: 3_600_000 };
const text = fc.string();
const anyTokenKey = fc.record({
  environment: text,
  platformRegion: text,
  tenantId: text,
  interface: text,
  scope: text,
}) as fc.Arbitrary<TokenKey>;
const tenants = Array.from({ length: 500 }, (_, index) => keyOf(`tenant-${index}`));

describe('the time to expiry below which a token is due', () => {
  test('is 20 min and a jitter of 0–60 s', () => {
    fc.assert(
      fc.property(
        anyTokenKey,
        (key) => dueBelowMs(key, HOUR) >= 1_200_000 && dueBelowMs(key, HOUR) <= 1_260_000,
      ),
    );
  });

  test('is constant for a key, so that a due token does not become fresh again', () => {
    expect(dueBelowMs({ ...KEY }, HOUR)).toBe(dueBelowMs(KEY, HOUR));
  });

  test('spreads tenants over a minute', () => {
    const quarters = new Set(tenants.map((key) => Math.floor((dueBelowMs(key, HOUR) - 1_200_000) / 15_000)));

    expect([...quarters].sort()).toEqual([0, 1, 2, 3]);
  });

  test('is an exact limit', () => {
    const leftAt = (leftMs: number) => ({ issuedAtMs: NOON_MS - 3_600_000, expiresAtMs: NOON_MS + leftMs });
    const dueMs = Math.ceil(dueBelowMs(KEY, HOUR));

    expect(isDue(KEY, leftAt(dueMs), NOON_MS)).toBe(false);
    expect(isDue(KEY, leftAt(dueMs - 1), NOON_MS)).toBe(true);
    expect(isDue(KEY, leftAt(-1), NOON_MS)).toBe(true);
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
      const token = { issuedAtMs: NOON_MS, expiresAtMs: NOON_MS + lifeMin * 60_000 };

      expect(Math.floor(dueBelowMs(KEY, token) / 60_000)).toBe(dueMin);
      expect(dueFromMs(token)).toBeLessThanOrEqual(token.expiresAtMs - dueBelowMs(KEY, token));
    },
  );
});

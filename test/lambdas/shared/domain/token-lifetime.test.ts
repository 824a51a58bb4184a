import fc from 'fast-check';

import { dueBelowMs, isDue } from '../../../../lambdas/shared/domain/token-lifetime';
import { KEY, keyOf } from '../../../support/lambdas/token-functions';
import { NOON_MS } from '../../../support/lambdas/virtual-clock';
import { anyTokenKey } from '../../../support/any-token-key';

const tenants = Array.from({ length: 500 }, (_, index) => keyOf(`tenant-${index}`));

describe('the time to expiry below which a token is due', () => {
  test('is 20 min and a jitter of 0–60 s', () => {
    fc.assert(
      fc.property(anyTokenKey, (key) => dueBelowMs(key) >= 1_200_000 && dueBelowMs(key) <= 1_260_000),
    );
  });

  test('is constant for a key, so that a due token does not become fresh again', () => {
    expect(dueBelowMs({ ...KEY })).toBe(dueBelowMs(KEY));
  });

  test('spreads tenants over a minute', () => {
    const quarters = new Set(tenants.map((key) => Math.floor((dueBelowMs(key) - 1_200_000) / 15_000)));

    expect([...quarters].sort()).toEqual([0, 1, 2, 3]);
  });

  test('is an exact limit', () => {
    const dueMs = Math.ceil(dueBelowMs(KEY));

    expect(isDue(KEY, NOON_MS + dueMs, NOON_MS)).toBe(false);
    expect(isDue(KEY, NOON_MS + dueMs - 1, NOON_MS)).toBe(true);
    expect(isDue(KEY, NOON_MS - 1, NOON_MS)).toBe(true);
  });
});

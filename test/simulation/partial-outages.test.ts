import { IS_FULL } from '../support/test-size';
import { FAILURES, HOUR_MS, simulateOutage } from './scale/simulate-outage';

const TENANTS = IS_FULL ? [20, 100, 500] : [100];
const KINDS = Object.keys(FAILURES) as (keyof typeof FAILURES)[];
const AN_HOUR = () => 3_600;

describe.each(TENANTS)('half of %d tenants fail for two hours', (tenants) => {
  const orders = {
    first: (index: number) => index < tenants / 2,
    spread: (index: number) => index % 2 === 0,
  };

  test.each(KINDS.flatMap((kind) => [[kind, 'first'] as const, [kind, 'spread'] as const]))(
    '%s, %s: no token of another tenant expires, and sweeps end in time',
    async (kind, order) => {
      const failing = { kind, isFailing: orders[order], fromMs: 0.9 * HOUR_MS, untilMs: 2.9 * HOUR_MS };

      const result = await simulateOutage({ tenants, hours: 3, lifeSec: AN_HOUR, failing });

      expect(result.dead).toBe(0);
      expect(result.longestSweepMs).toBeLessThanOrEqual(240_000);
      expect(result.requests.most()).toBeLessThan(650);
    },
    120_000,
  );
});

test.each(['429', '503', 'hang'] as const)(
  'a platform that answers nobody for two hours (%s) gets few requests, and all have tokens minutes later',
  async (kind) => {
    const tenants = IS_FULL ? 500 : 100;
    const failing = { kind, isFailing: () => true, fromMs: 0.9 * HOUR_MS, untilMs: 2.9 * HOUR_MS };

    const result = await simulateOutage({ tenants, hours: 3.2, lifeSec: AN_HOUR, failing });

    // The first failures of every tenant at both interfaces, and a few requests in each of 24 sweeps.
    expect(result.requestsInOutage).toBeLessThan(2 * tenants + 24 * 70);
    expect(result.recoveredAfterMs).toBeGreaterThan(0);
    expect(result.recoveredAfterMs).toBeLessThan(300_000);
  },
  120_000,
);

test('callers of tenants whose endpoint hangs keep no caller of another waiting for long', async () => {
  const failing = {
    kind: 'hang' as const,
    isFailing: (index: number) => index < 10,
    fromMs: HOUR_MS,
    untilMs: 1.75 * HOUR_MS,
  };

  const { waitsMs, failedAsks } = await simulateOutage({
    tenants: 11,
    hours: 2,
    lifeSec: AN_HOUR,
    failing,
    betweenAsksMs: 1_000,
  });

  expect(failedAsks).toBe(0);
  expect(waitsMs.length).toBeGreaterThan(30);
  expect(Math.max(...waitsMs)).toBeLessThan(10_000);
});

describe('tokens that live for a short time, over two days', () => {
  test.each([900, 1_200, 1_800])(
    'of %d s are valid all the time, with at most 96 writes a day',
    async (lifeSec) => {
      const result = await simulateOutage({ tenants: 1, hours: 48, lifeSec: () => lifeSec });

      // 96 writes of 900 s are a day, less the moments between expiry and renewal.
      expect(result.valid).toBeGreaterThan(lifeSec === 900 ? 0.98 : 0.9999);
      expect(result.mostWritesADay).toBeLessThanOrEqual(96);
    },
  );

  test('that shrink from an hour to 20 min stay valid', async () => {
    const lifeSec = (atMs: number) => Math.max(1_200, Math.round(3_600 - atMs / 20_000));

    const { valid, mostWritesADay } = await simulateOutage({ tenants: 1, hours: 48, lifeSec });

    expect(valid).toBeGreaterThan(0.9999);
    expect(mostWritesADay).toBeLessThanOrEqual(96);
  });
});

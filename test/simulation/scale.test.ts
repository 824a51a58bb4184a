import { IS_FULL, printFigures, SEED } from '../support/test-size';
import { type ScaleResult, simulateScale } from './scale/simulate-scale';
import { simulateWatch } from './scale/simulate-watch';

/** The function's timeout, less what its handler reserves. */
const WATCH_MS = 298_500;
const TENANTS = IS_FULL ? 5_000 : 100;

describe('a deployment with a slow platform that limits requests, fails and is down for 50 minutes', () => {
  let result: ScaleResult;
  beforeAll(async () => {
    const days = IS_FULL ? 7 : 0.5;
    result = await simulateScale({ tenants: TENANTS, days, seed: SEED });
    const { tokens, mostRequestsAMinute, sweepsMs, recoveredAfterMs } = result;
    printFigures(
      `simulated ${days} days of ${tokens} tokens, seed ${SEED}: at most ${mostRequestsAMinute} token requests a minute, ` +
        `sweeps of at most ${Math.round(Math.max(...sweepsMs) / 1000)} s, all fresh ` +
        `${Math.round(recoveredAfterMs / 60_000)} min after the outage`,
    );
  }, 3_600_000);

  test('no token is read expired that could have been renewed', () => {
    expect(result.expired.avoidable.slice(0, 5)).toEqual([]);
    expect(result.clientFailuresAvoidable).toBe(0);
    // The outage was long enough for some.
    expect(result.expired.unavoidable).toBeGreaterThan(0);
  });

  test('every sweep ends before its timeout, and so before the next is due', () => {
    expect(result.sweepsTooLong).toBe(0);
    expect(result.sweepsOverlapping).toBe(0);
  });

  test('no minute has 1,000 token requests, after the first load and the outage neither', () => {
    expect(result.mostRequestsAMinute).toBeLessThan(650);
    expect(result.recoveredAfterMs).toBeLessThan(result.allowedRecoveryMs);
  });

  test('every token has ten minutes left, or outlasts a cache of five if the platform also fails its requests', () => {
    expect(result.expired.minLifeMs).toBeGreaterThanOrEqual((IS_FULL ? 5 : 10) * 60_000);
  });
});

describe('credential-watch', () => {
  test('inspects every secret in less than half of its time, without an answer that is throttled away', async () => {
    const { durationMs, unavailable, heapMb } = await simulateWatch(TENANTS, WATCH_MS);

    expect(unavailable).toBe(0);
    expect(durationMs).toBeLessThan(WATCH_MS / 2);
    // Of 512.
    expect(heapMb).toBeLessThan(100);
  });
});

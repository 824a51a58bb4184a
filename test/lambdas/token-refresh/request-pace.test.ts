import { RequestPace } from '../../../lambdas/token-refresh/request-pace';
import { VirtualClock } from '../../support/lambdas/virtual-clock';

let clock: VirtualClock;
let pace: RequestPace;
beforeEach(() => {
  clock = new VirtualClock();
  pace = new RequestPace(10);
});

/** Takes turns, one after another, and returns how long they took, in ms. */
async function take(turns: number): Promise<number> {
  const startMs = clock.monotonicMs();
  for (let turn = 0; turn < turns; turn += 1) await pace.turn(clock, Infinity);
  return clock.monotonicMs() - startMs;
}

test('a few requests go out at once, more than that at the rate', async () => {
  await expect(take(9)).resolves.toBe(0);
  await expect(take(10)).resolves.toBeCloseTo(1_000);
});

test('a turn that would come too late is refused at once, and takes none from others', async () => {
  await take(50);
  const nowMs = clock.monotonicMs();

  await expect(pace.turn(clock, nowMs + 50)).resolves.toBe(false);

  expect(clock.monotonicMs()).toBe(nowMs);
  await expect(take(1)).resolves.toBeCloseTo(100);
});

test('a request without a turn, such as a retry, delays the next turn', async () => {
  await take(50);

  pace.sent(clock);

  await expect(take(1)).resolves.toBeCloseTo(200);
});

test('one tenant with a limit of its own slows the others down once, and does not stop them', async () => {
  await take(50);

  for (let times = 0; times < 20; times += 1) pace.limitedFor(clock, 'tenant-a', 60_000);

  await expect(take(10)).resolves.toBeLessThan(2_000);
});

test('a limit that several tenants meet in a row stops all for its Retry-After, and slows them down', async () => {
  await take(50);

  pace.limitedFor(clock, 'tenant-a', 3_000);
  pace.limitedFor(clock, 'tenant-b', 3_000);

  await expect(take(1)).resolves.toBeGreaterThanOrEqual(3_000);
  // 10 a second, twice times 0.7.
  await expect(take(49)).resolves.toBeCloseTo(10_000, -1);
});

test('tokens restore the rate', async () => {
  await take(50);
  pace.limitedFor(clock, 'tenant-a', 1_000);

  for (let tokens = 0; tokens < 60; tokens += 1) pace.granted('tenant-b');

  await take(1);
  await expect(take(10)).resolves.toBeCloseTo(1_000);
});

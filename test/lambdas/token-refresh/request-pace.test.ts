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
  for (let turn = 0; turn < turns; turn += 1) await pace.awaitTurn(clock, Infinity);
  return clock.monotonicMs() - startMs;
}

test('a few requests go out at once, more than that at the rate', async () => {
  await expect(take(9)).resolves.toBe(0);
  await expect(take(10)).resolves.toBeCloseTo(1_000);
});

test('a turn that would come too late is refused at once, and takes none from others', async () => {
  await take(50);
  const nowMs = clock.monotonicMs();

  await expect(pace.awaitTurn(clock, nowMs + 50)).resolves.toBe(false);

  expect(clock.monotonicMs()).toBe(nowMs);
  await expect(take(1)).resolves.toBeCloseTo(100);
});

test('a request without a turn, such as a retry, delays the next turn', async () => {
  await take(50);

  pace.sent(clock);

  await expect(take(1)).resolves.toBeCloseTo(200);
});

/** Gets a 429, and a token for the retry. */
async function passLimit(...tenantIds: string[]): Promise<void> {
  for (const tenantId of tenantIds) {
    pace.limited(clock, tenantId);
    clock.advance(1_000);
    pace.issued(clock, tenantId);
  }
}

test('a limit that one tenant keeps meeting slows nobody', async () => {
  await take(50);

  for (let times = 0; times < 20; times += 1) pace.limited(clock, 'tenant-a');

  await expect(take(10)).resolves.toBeCloseTo(1_000);
});

test('limits that tenants have for themselves slow nobody once others get tokens, however many they are', async () => {
  await take(50);

  for (let tenant = 0; tenant < 250; tenant += 1) pace.limited(clock, `tenant-${tenant}`);
  await take(1);
  await expect(take(10)).resolves.toBeCloseTo(2_000);
  pace.issued(clock, 'another-tenant');

  await take(1);
  await expect(take(10)).resolves.toBeCloseTo(1_000);
});

test('limits that end much later were not common, and slow nobody', async () => {
  await take(50);
  const tenantIds = Array.from({ length: 20 }, (_, index) => `tenant-${index}`);
  for (const tenantId of tenantIds) pace.limited(clock, tenantId);
  clock.advance(60_000);

  for (const tenantId of tenantIds) pace.issued(clock, tenantId);

  await take(20);
  await expect(take(10)).resolves.toBeCloseTo(1_000);
});

test('a common limit, which lets tenants through that it has just refused, slows all, until tokens restore the rate', async () => {
  await take(50);

  await passLimit('tenant-a', 'tenant-b');

  await take(20);
  // 10 a second, twice times 0.7.
  await expect(take(49)).resolves.toBeCloseTo(10_000, -1);
  for (let tokens = 0; tokens < 110; tokens += 1) pace.issued(clock, 'tenant-c');
  await take(20);
  await expect(take(10)).resolves.toBeCloseTo(1_000);
});

test('a common limit leaves all a fourth of the rate', async () => {
  await passLimit(...Array.from({ length: 20 }, (_, index) => `tenant-${index}`));

  await take(50);
  await expect(take(10)).resolves.toBeCloseTo(4_000);
});

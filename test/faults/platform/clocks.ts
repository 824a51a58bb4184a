import { parseTokenValue } from '../../../core/tokens/token-value';
import { assertCommonSet } from '../support/common-set';
import { expectRenewed } from '../support/outcome';
import { oauthError, tokenAnswer } from '../support/platform-double';
import { tokenRow } from '../support/token-row';
import { type VirtualWorld } from '../support/virtual-world';
import { drawSituation, type Situation, type World } from '../support/world';

const MINUTE_MS = 60_000;
/** Time that must remain when an invocation has answered. */
const RESERVE_MS = 1_000;

interface Variant extends Situation {
  skewSec: number;
  latencyMs: number;
  /** By how many seconds the clock is set while the function runs. */
  setSec: number;
}

/** F10 */
export const CLOCK_WRONG = tokenRow<Variant>({
  id: 'F10',
  fault: "the function's clock is wrong by up to 300 s, or is set while it runs",
  variant: (draw, where) => ({
    ...drawSituation(draw),
    skewSec: draw.oneOf([300, -300, draw.integer(1, 299), -draw.integer(1, 299)]),
    latencyMs: where === 'wire' ? 0 : draw.integer(0, 3_000),
    setSec: where === 'wire' ? 0 : draw.oneOf([-300, 300, -draw.integer(1, 299)]),
  }),
  async virtual(world, variant) {
    const { skewSec, latencyMs, setSec } = variant;
    world.setClock(skewSec * 1000);
    world.transport.latencyMs = latencyMs;

    expectRenewed(world, await world.invoke());
    expectNoLongerThanTrue(world);
    assertCommonSet(world, skewFault(skewSec));
    await expectServedWhileAlive(world);
    await expectRenewedInTime(world, setSec);
    await expectDeadlineKept(world, setSec);
    await expectCoolDownKept(world);
    assertCommonSet(world);
  },
  async wire(world, variant) {
    world.setClock(variant.skewSec * 1000);

    const invocation = await world.invoke();

    expectRenewed(world, invocation);
    expectNoLongerThanTrue(world);
    assertCommonSet(world, skewFault(variant.skewSec));
  },
});

/** A clock that is wrong by more than a minute is reported. */
function skewFault(skewSec: number): Record<string, number> {
  return Math.abs(skewSec) > 70 ? { clock_skew: 1 } : {};
}

/** A reader with a correct clock must not take an expired token for a valid one. */
function expectNoLongerThanTrue(world: World): void {
  const { expiresAt } = parseTokenValue(world.versions().at(-1)!.secretString, world.key)!;
  const { expiresAtMs } = world.platform.issued.at(-1)!;
  expect(Date.parse(expiresAt)).toBeLessThanOrEqual(expiresAtMs);
  expect(Date.parse(expiresAt)).toBeGreaterThan(expiresAtMs - 15 * MINUTE_MS);
}

/** While the platform is down, the stored token is served until it really expires. */
async function expectServedWhileAlive(world: VirtualWorld): Promise<void> {
  await world.takePlatformDown();
  const { expiresAtMs } = world.platform.issued.at(-1)!;
  const endMs = expiresAtMs + 10 * MINUTE_MS;
  while (world.platform.nowMs() < endMs) {
    world.clock.advance(MINUTE_MS);
    const { answer } = await world.invoke('ensure');
    if (answer.ok) expect(expiresAtMs).toBeGreaterThan(world.platform.nowMs());
  }
  world.platform.always = tokenAnswer();
}

/** With sweeps, readers never find an expired token, even if the clock is set now and then. */
async function expectRenewedInTime(world: VirtualWorld, setSec: number): Promise<void> {
  world.clock.advance(MINUTE_MS);
  for (let sweeps = 0; sweeps < 48; sweeps += 1) {
    await world.invoke('sweep');
    const { accessToken } = parseTokenValue(world.versions().at(-1)!.secretString, world.key)!;
    const record = world.platform.issued.find((issued) => issued.accessToken === accessToken);
    expect(record!.expiresAtMs).toBeGreaterThan(world.platform.nowMs() + 5 * MINUTE_MS);
    if (sweeps % 16 === 8) world.setClock((sweeps === 24 ? -1 : 1) * setSec * 1000);
    world.clock.advance(5 * MINUTE_MS);
  }
}

/** Setting the clock during a request neither lengthens nor shortens the invocation. */
async function expectDeadlineKept(world: VirtualWorld, setSec: number): Promise<void> {
  const remainingMs = 5_000;
  world.transport.latencyMs = 0;
  world.clock.advance(50 * MINUTE_MS);
  world.platform.script.push(() => {
    world.setClock(setSec * 1000);
    return { kind: 'silence', after: 'request' };
  });
  const { elapsedMs } = await world.invoke('sweep', remainingMs);
  expect(elapsedMs).toBeLessThanOrEqual(remainingMs - RESERVE_MS);

  world.clock.advance(50 * MINUTE_MS);
  world.platform.script.push(() => {
    world.setClock(-setSec * 1000);
    return oauthError(503);
  });
  const versions = world.versions().length;
  await world.invoke('sweep');
  expect(world.versions()).toHaveLength(versions + 1);
}

/** Setting the clock back does not lengthen the wait that the platform asked for. */
async function expectCoolDownKept(world: VirtualWorld): Promise<void> {
  world.clock.advance(50 * MINUTE_MS);
  world.platform.script.push(() => oauthError(429, 'x', { 'retry-after': '30' }));
  const versions = world.versions().length;
  await world.invoke('sweep');
  world.setClock(-300_000);
  world.clock.advance(30_000);
  await world.invoke('sweep');
  expect(world.versions()).toHaveLength(versions + 1);
}

import { parseTokenValue } from '../../../core/tokens/token-value';
import { type WireWorld } from '../support/wire-world';
import { assertCommonSet } from '../support/common-set';
import { expectRenewed } from '../support/outcome';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Situation } from '../support/world';

const MINUTE_MS = 60_000;

interface Variant extends Situation {
  skewSec: number;
}

/** F10 */
export const CLOCK_WRONG = tokenRow<Variant>({
  id: 'F10',
  fault: "the function's clock is wrong by up to 300 s",
  variant: (draw) => ({
    ...drawSituation(draw),
    skewSec: draw.oneOf([300, -300, draw.integer(1, 299), -draw.integer(1, 299)]),
  }),
  async run(world, variant) {
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
function expectNoLongerThanTrue(world: WireWorld): void {
  const { expiresAt } = parseTokenValue(world.versions().at(-1)!.secretString, world.key)!;
  const { expiresAtMs } = world.platform.issued.at(-1)!;
  expect(Date.parse(expiresAt)).toBeLessThanOrEqual(expiresAtMs);
  expect(Date.parse(expiresAt)).toBeGreaterThan(expiresAtMs - 15 * MINUTE_MS);
}

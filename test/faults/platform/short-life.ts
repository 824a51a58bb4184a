import { parseTokenValue } from '../../../core/tokens/token-value';
import { type WireWorld } from '../support/wire-world';
import { assertCommonSet } from '../support/common-set';
import { expectRenewed } from '../support/outcome';
import { tokenAnswer } from '../support/platform-double';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Situation } from '../support/world';

/** F34 */
export const LIFE_SHORT = tokenRow<Situation & { lifeSec: number }>({
  id: 'F34',
  fault: 'the platform issues tokens for less than 35 minutes',
  variant: (draw) => ({ ...drawSituation(draw, { action: 'sweep' }), lifeSec: draw.integer(900, 2_099) }),
  async run(world, { lifeSec }) {
    world.platform.always = tokenAnswer({ expires_in: lifeSec });

    expectRenewed(world, await world.invoke('sweep'));
    assertCommonSet(world, { life_short: 1 });
    await world.invoke('sweep');
    await world.invoke('ensure');

    expect(storedLifeSec(world)).toBe(lifeSec);
    expect(world.platform.requests).toHaveLength(1);
    assertCommonSet(world, { life_short: 2 });
  },
});

function storedLifeSec(world: WireWorld): number {
  const { issuedAt, expiresAt } = parseTokenValue(world.versions().at(-1)!.secretString, world.key)!;
  return (Date.parse(expiresAt) - Date.parse(issuedAt)) / 1000;
}

import { assertCommonSet } from '../support/common-set';
import { expectNotRenewed } from '../support/outcome';
import { oauthError } from '../support/platform-double';
import { tokenRow } from '../support/token-row';
import { drawSituation, type World } from '../support/world';

const REFUSALS = [
  '401 invalid_client',
  '400 invalid_scope',
  '400 invalid_client',
  '400 unauthorized_client',
  '403 none',
] as const;

/** F6 */
export const REFUSED = tokenRow({
  id: 'F6',
  fault: 'the platform refuses the credential or the scope',
  variant: (draw) => ({ ...drawSituation(draw), refusal: draw.oneOf(REFUSALS) }),
  async virtual(world, variant) {
    const { platform, clock } = world;
    const code = await expectRefused(world, variant.refusal);

    for (let second = 10; second < 150; second += 10) {
      clock.advance(10_000);
      expectNotRenewed(world, await world.invoke(), code);
    }

    const askedAtSec = platform.requests.map(({ atMs }) => (atMs - platform.requests[0]!.atMs) / 1000);
    expect(askedAtSec).toEqual([0, 60, 120]);
    assertCommonSet(world);
  },
  async wire(world, variant) {
    const code = await expectRefused(world, variant.refusal);

    expectNotRenewed(world, await world.invoke(), code);

    expect(world.platform.requests).toHaveLength(1);
    assertCommonSet(world);
  },
  hole: {
    words: 'a refusal is forgotten after its invocation',
    open(world) {
      const { invoke } = world;
      world.invoke = (...args) => {
        world.startNewProcess();
        return invoke.apply(world, args);
      };
    },
  },
});

/** Makes the platform refuse from now on, and expects the first invocation to report it. */
async function expectRefused(world: World, refusal: (typeof REFUSALS)[number]) {
  const [status, error] = refusal.split(' ');
  const code = error === 'invalid_scope' ? 'scope_refused' : 'credential_refused';
  world.platform.always = () => oauthError(Number(status), error);

  expectNotRenewed(world, await world.invoke(), code);
  assertCommonSet(world, { [code]: 1 });
  return code;
}

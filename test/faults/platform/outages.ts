import { assertCommonSet } from '../support/common-set';
import { expectNotRenewed, expectRenewed } from '../support/outcome';
import { processedThenReset, type Turn } from '../support/platform-double';
import { tokenRow } from '../support/token-row';
import { drawSituation } from '../support/world';

/** Time that must remain when an invocation has answered. */
const RESERVE_MS = 1_000;

/** F2 */
export const ENDPOINT_SLOW = tokenRow({
  id: 'F2',
  fault: 'the token endpoint answers slowly or incompletely',
  variant: (draw) => ({
    ...drawSituation(draw),
    after: draw.oneOf(['request', 'half the answer']),
  }),
  async run(world, variant) {
    const { after } = variant;
    const remainingMs = 5_000;
    world.platform.always = () => ({ kind: 'silence', after });

    const invocation = await world.invoke(variant.action, remainingMs);

    expectNotRenewed(world, invocation, 'platform_unavailable');
    expect(invocation.elapsedMs).toBeLessThan(remainingMs - RESERVE_MS);
    expect(world.platform.requests).not.toHaveLength(0);
    expect(await world.wirePlatform.openAnswers()).toBe(0);
    assertCommonSet(world, { platform_unavailable: 1 });
  },
});

/** F13 */
export const RESET_AFTER_SEND = tokenRow({
  id: 'F13',
  fault: 'the connection breaks after the platform processed the token request',
  variant: (draw) => ({
    ...drawSituation(draw),
    after: draw.oneOf(['request', 'half the answer']),
    resets: draw.oneOf([1, 2]),
  }),
  async run(world, { after, resets }) {
    const { platform, before } = world;
    platform.script.push(...Array<Turn>(resets).fill(processedThenReset(after)));

    const invocation = await world.invoke();

    expectRenewed(world, invocation);
    expect(platform.issued).toHaveLength(before.length + resets + 1);
    const stored = JSON.parse(world.versions().at(-1)!.secretString) as { accessToken: string };
    expect(stored.accessToken).toBe(platform.issued.at(-1)!.accessToken);
    assertCommonSet(world, { platform_unavailable: 1 });
  },
});

import { assertCommonSet } from '../support/common-set';
import { expectNotRenewed } from '../support/outcome';
import { oauthError } from '../support/platform-double';
import { TLS_FAULTS } from '../support/tls-faults';
import { tokenRow } from '../support/token-row';
import { trustedAuthority } from '../support/wire-world';
import { drawSituation } from '../support/world';
import { LoopbackServer } from '../../support/lambdas/loopback-server';

const REDIRECTS = [301, 302, 303, 307, 308] as const;

/** F11 */
export const REDIRECTED = tokenRow({
  id: 'F11',
  fault: 'the token endpoint redirects to another host',
  variant: (draw) => ({ ...drawSituation(draw), status: draw.oneOf(REDIRECTS) }),
  async run(world, variant) {
    const elsewhere = await LoopbackServer.start(await (await trustedAuthority()).issue());
    const { status: first } = variant;
    for (const status of [first, ...REDIRECTS.filter((other) => other !== first)]) {
      world.platform.always = () => oauthError(status, 'x', { location: `${elsewhere.url}/` });
      world.startNewProcess();

      const invocation = await world.invoke();

      expectNotRenewed(world, invocation, 'bad_platform_answer');
    }
    expect(world.platform.requests).toHaveLength(REDIRECTS.length);
    expect(elsewhere.connections).toBe(0);
    assertCommonSet(world, { redirected: REDIRECTS.length });
  },
});

const TLS_FAULT_NAMES = ['expired', 'wrong name', 'self-signed', 'TLS 1.1'] as const;

/** F12 */
export const TLS_WRONG = tokenRow({
  id: 'F12',
  fault:
    "the platform's certificate is expired, self-signed or for another name, or its server speaks TLS 1.1",
  variant: (draw) => ({ ...drawSituation(draw), first: draw.oneOf(TLS_FAULT_NAMES) }),
  variants: (variant) => {
    const { first } = variant;
    const others = TLS_FAULT_NAMES.filter((other) => other !== first);
    return [first, ...others].map((each) => ({ ...variant, first: each }));
  },
  server: ({ first }) => TLS_FAULTS[first](),
  async run(world) {
    const invocation = await world.invoke();

    expectNotRenewed(world, invocation, 'platform_unavailable');
    const { connections, receivedBytes } = world.wirePlatform.server;
    expect([1, 2]).toContain(connections);
    expect(receivedBytes).toBe(0);
    assertCommonSet(world, { tls_failed: 1 });
  },
});

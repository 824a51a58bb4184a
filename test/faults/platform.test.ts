import { type ServerOptions } from 'node:https';

import { LoopbackServer } from '../support/lambdas/loopback-server';
import { assertCommonSet } from './support/common-set';
import { expectNotRenewed, expectRenewed } from './support/outcome';
import { oauthError, processedThenReset, type Turn } from './support/platform-double';
import { TLS_FAULTS } from './support/tls-faults';
import { trustedAuthority, withWireWorld, type WireWorld } from './support/wire-world';
import { type Situation, SITUATIONS } from './support/world';

const REMAINING_MS = 5_000;
/** Time that must remain when an invocation has answered. */
const RESERVE_MS = 1_000;
const REDIRECTS = [301, 302, 303, 307, 308];

// Much longer than any test needs, for busy machines.
jest.setTimeout(30_000);

/** Faults of the platform and of the connection to it, which test/lambdas cannot show without a connection. */
describe.each(SITUATIONS)('with $action, and a stored token that is $stored', (situation: Situation) => {
  const wire = (run: (world: WireWorld) => Promise<void>, server?: ServerOptions) =>
    withWireWorld(situation, run, server);

  test.each(['request', 'half the answer'] as const)('F2: the token endpoint is silent after %s', (after) =>
    wire(async (world) => {
      world.platform.always = () => ({ kind: 'silence', after });

      const invocation = await world.invoke(situation.action, REMAINING_MS);

      expectNotRenewed(world, invocation, 'platform_unavailable');
      expect(invocation.elapsedMs).toBeLessThan(REMAINING_MS - RESERVE_MS);
      expect(world.platform.requests).not.toHaveLength(0);
      expect(await world.wirePlatform.openAnswers()).toBe(0);
      assertCommonSet(world, { platform_unavailable: 1 });
    }),
  );

  test('F11: the token endpoint redirects to another host', () =>
    wire(async (world) => {
      const elsewhere = await LoopbackServer.start(await (await trustedAuthority()).issue());
      for (const status of REDIRECTS) {
        world.platform.always = () => oauthError(status, 'x', { location: `${elsewhere.url}/` });
        world.startNewProcess();

        expectNotRenewed(world, await world.invoke(), 'bad_platform_answer');
      }
      expect(world.platform.requests).toHaveLength(REDIRECTS.length);
      expect(elsewhere.connections).toBe(0);
      assertCommonSet(world, { redirected: REDIRECTS.length });
    }));

  test.each(Object.entries(TLS_FAULTS))('F12: TLS of the platform is %s', async (_, serverOf) =>
    wire(
      async (world) => {
        expectNotRenewed(world, await world.invoke(), 'platform_unavailable');
        const { connections, receivedBytes } = world.wirePlatform.server;
        expect([1, 2]).toContain(connections);
        expect(receivedBytes).toBe(0);
        assertCommonSet(world, { tls_failed: 1 });
      },
      await serverOf(),
    ),
  );

  test.each([
    ['request', 1],
    ['half the answer', 2],
  ] as const)(
    'F13: the connection breaks after %s, which the platform processed, %i times',
    (after, resets) =>
      wire(async (world) => {
        const { platform, before } = world;
        platform.script.push(...Array<Turn>(resets).fill(processedThenReset(after)));

        const invocation = await world.invoke();

        expectRenewed(world, invocation);
        expect(platform.issued).toHaveLength(before.length + resets + 1);
        const stored = JSON.parse(world.versions().at(-1)!.secretString) as { accessToken: string };
        expect(stored.accessToken).toBe(platform.issued.at(-1)!.accessToken);
        assertCommonSet(world, { platform_unavailable: 1 });
      }),
  );
});

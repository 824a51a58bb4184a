import { type ServerOptions } from 'node:https';

import { assertCommonSet } from '../support/common-set';
import { faultRow } from '../support/fault-row';
import { expectNotRenewed } from '../support/outcome';
import { oauthError } from '../support/platform-double';
import { withVirtualWorld } from '../support/virtual-world';
import { trustedAuthority, withWireWorld } from '../support/wire-world';
import { drawSituation } from '../support/world';
import { selfSigned } from '../../support/lambdas/certificates';
import { LoopbackServer } from '../../support/lambdas/loopback-server';

const REDIRECTS = [301, 302, 303, 307, 308] as const;

/** F11 */
export const REDIRECTED = faultRow({
  id: 'F11',
  fault: 'the token endpoint redirects to another host',
  variant: (draw) => ({ ...drawSituation(draw), status: draw.oneOf(REDIRECTS) }),
  virtual: (variant, draw) =>
    withVirtualWorld(variant, draw, async (world) => {
      const location = 'https://elsewhere.example/';
      world.platform.always = () => oauthError(variant.status, 'x', { location });

      const invocation = await world.invoke();

      expectNotRenewed(world, invocation, 'bad_platform_answer');
      expect(world.transport.sent).toHaveLength(1);
      assertCommonSet(world, { redirected: 1 });
    }),
  wire: (variant) =>
    withWireWorld(variant, async (world) => {
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
    }),
  brokenBy: {
    file: 'lambdas/shared/adapters/https-client.ts',
    from: 'resolve({ status: answer.statusCode ?? 0, headers: flatten(answer), body: text });',
    to: 'resolve(answer.headers.location ? sendHttps({ ...options, url: new URL(answer.headers.location) }) : { status: answer.statusCode ?? 0, headers: flatten(answer), body: text });',
  },
});

/** The server of each TLS fault, with Node's code for it. */
const TLS_FAULTS = {
  expired: {
    code: 'CERT_HAS_EXPIRED',
    server: async () => (await trustedAuthority()).issue({ lastsDays: -1 }),
  },
  'wrong name': {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    server: async () => (await trustedAuthority()).issue({ name: 'elsewhere.example' }),
  },
  'self-signed': { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', server: () => selfSigned() },
  'TLS 1.1': {
    code: 'EPROTO',
    server: async () => ({
      ...(await (await trustedAuthority()).issue()),
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      // OpenSSL leaves versions this old to security level 0.
      ciphers: 'DEFAULT@SECLEVEL=0',
    }),
  },
} as const satisfies Record<string, { code: string; server: () => Promise<ServerOptions> }>;

const TLS_FAULT_NAMES = ['expired', 'wrong name', 'self-signed', 'TLS 1.1'] as const;

/** F12 */
export const TLS_WRONG = faultRow({
  id: 'F12',
  fault: 'the certificate is expired, of another name or self-signed, or the server speaks TLS 1.1',
  variant: (draw) => ({ ...drawSituation(draw), first: draw.oneOf(TLS_FAULT_NAMES) }),
  virtual: (variant, draw) =>
    withVirtualWorld(variant, draw, async (world) => {
      const { code } = TLS_FAULTS[variant.first];
      world.platform.always = () => ({ kind: 'unreachable', code });

      const invocation = await world.invoke();

      expectNotRenewed(world, invocation, 'platform_unavailable');
      expect(world.transport.sent.length).toBeLessThanOrEqual(2);
      assertCommonSet(world, { tls_failed: 1 });
    }),
  async wire(variant) {
    const { first } = variant;
    for (const name of [first, ...TLS_FAULT_NAMES.filter((other) => other !== first)]) {
      const server = await TLS_FAULTS[name].server();
      await withWireWorld(
        variant,
        async (world) => {
          const invocation = await world.invoke();

          expectNotRenewed(world, invocation, 'platform_unavailable');
          const { connections, receivedBytes } = world.wirePlatform.server;
          expect([1, 2]).toContain(connections);
          expect(receivedBytes).toBe(0);
          assertCommonSet(world, { tls_failed: 1 });
        },
        server,
      );
    }
  },
  brokenBy: {
    file: 'lambdas/shared/adapters/https-client.ts',
    from: 'keepAlive: true,',
    to: 'keepAlive: true, rejectUnauthorized: false,',
  },
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CertificateAuthority } from '../support/lambdas/certificates';
import { ConnectProxy } from '../support/lambdas/connect-proxy';
import { load, type Place, placeOf, sweep } from './support/journeys';
import { basicOf, callRestore } from './support/restore-calls';
import { RunningSystem } from './support/running-system';

let folder: string;
let system: RunningSystem;
/** It tunnels. */
let tunneling: ConnectProxy;
/** It opens TLS, with an authority of its own. */
let inspecting: ConnectProxy;
let behindTunneling: Place;
let behindInspecting: Place;
let platform: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-network-'));
  const corporate = await CertificateAuthority.create();
  const file = join(folder, 'corporate.pem');
  writeFileSync(file, corporate.certificatePem);
  const shown = await corporate.issue({ address: '127.0.0.1' });
  tunneling = await ConnectProxy.start();
  inspecting = await ConnectProxy.start({ inspectsBy: shown });
  system = await RunningSystem.startConfigured(
    (configuration) => {
      const [global, mea] = configuration.deployments.filter(
        ({ environment }) => environment === 'staging',
      ) as [object, object];
      Object.assign(global, { proxy: { url: tunneling.url } });
      Object.assign(mea, {
        proxy: { url: inspecting.url, awsCalls: 'proxy' },
        certificateAuthorities: { file },
      });
    },
    ['--no-job'],
  );
  behindTunneling = placeOf(system, 'staging', 'global');
  behindInspecting = placeOf(system, 'staging', 'mea');
  platform = new URL(behindTunneling.deployment.platform.contentBaseUrl!).host;
});
afterAll(async () => {
  await system.stop();
  await ConnectProxy.stopAll();
  rmSync(folder, { recursive: true });
});

describe('a deployment behind a proxy', () => {
  it('proves keys, renews tokens and restores content through it', async () => {
    await load(behindTunneling);
    await expect(sweep(behindTunneling)).resolves.toMatchObject({ failed: 0 });
    const contentId = behindTunneling.tenant.archivedContentIds[0]!;

    const restored = await callRestore(behindTunneling, contentId, {
      authorization: await basicOf(behindTunneling),
    });

    expect(restored.status).toBe(200);
    // One tunnel at least of each function: for the key, the tokens and the content.
    expect(tunneling.opened.length).toBeGreaterThanOrEqual(3);
    expect(new Set(tunneling.asked)).toEqual(new Set([platform]));
  });
});

describe('a deployment behind a proxy that opens TLS', () => {
  it('trusts the proxy’s authority, for calls to the platform and to AWS', async () => {
    await load(behindInspecting);
    await expect(sweep(behindInspecting)).resolves.toMatchObject({ failed: 0 });
    const contentId = behindInspecting.tenant.archivedContentIds[0]!;

    const restored = await callRestore(behindInspecting, contentId, {
      authorization: await basicOf(behindInspecting),
    });

    expect(restored.status).toBe(200);
    expect(inspecting.readLines.some((line) => line.startsWith('POST /'))).toBe(true);
    expect(new Set(inspecting.opened)).toEqual(new Set([platform, new URL(system.run.aws.endpoint).host]));
  });
});

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type TokenValue } from '../../core/secrets/secret-values';
import { type EnsureAnswer } from '../../core/tokens/token-refresh';
import { CertificateAuthority } from '../support/lambdas/certificates';
import { ConnectProxy } from '../support/lambdas/connect-proxy';
import { ensure, load, type Place, placeOf, sweep, tokenArn } from './support/journeys';
import { OperatedTenant } from './support/operated-tenant';
import { expectProblem } from './support/problem-answer';
import { basicOf, callRestore, isArchived, platformAnswers } from './support/restore-calls';
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

/** Has a token replaced, as if the platform refused it. */
async function renew(): Promise<EnsureAnswer> {
  const { accessToken } = await system.secret<TokenValue>(tokenArn(behindTunneling, 'api/read'));
  const rejectedTokenSha256 = createHash('sha256').update(accessToken).digest('hex');
  return ensure(behindTunneling, 'api/read', { rejectedTokenSha256 });
}

const failureIn = (answer: EnsureAnswer) => (answer.ok ? undefined : answer.error);

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

  it('rotates credentials through it', async () => {
    const tenant = new OperatedTenant(system, 'staging', 'global');
    const before = tunneling.asked.length;

    const rotated = await tenant.give('credentials put --prove-by function --json', await tenant.newPair());

    expect(rotated).toMatchObject({ exitCode: 0 });
    expect(tunneling.asked.length).toBeGreaterThan(before);
  });

  it('does not call around it when it refuses: nothing is sent, and the reason is named', async () => {
    const contentId = behindTunneling.tenant.archivedContentIds[1]!;
    const authorization = await basicOf(behindTunneling);
    tunneling.behavior = 407;
    await tunneling.disconnect();

    const restored = await callRestore(behindTunneling, contentId, { authorization });
    const renewed = await renew();

    expect(restored.status).toBe(502);
    expect(await isArchived(behindTunneling, contentId)).toBe(true);
    expect(await platformAnswers(behindTunneling, contentId)).toEqual({});
    expect(failureIn(renewed)).toMatchObject({
      code: 'platform_unavailable',
      message: expect.stringContaining('the proxy refuses the connection (407)') as string,
    });
  });

  it('goes on by itself once the proxy lets it', async () => {
    tunneling.behavior = 'tunnel';
    await system.advance(60);

    await expect(sweep(behindTunneling)).resolves.toMatchObject({ failed: 0 });
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

  it('says that a proxy hangs, and has sent nothing', async () => {
    const contentId = behindInspecting.tenant.archivedContentIds[1]!;
    const authorization = await basicOf(behindInspecting);
    // Warm clients of AWS keep their tunnels.
    inspecting.behavior = (target) => (target === platform ? 'hang' : 'tunnel');
    await inspecting.disconnect(platform);

    const restored = await callRestore(behindInspecting, contentId, { authorization });

    expectProblem(restored, 502, 'platform_unreachable');
    expect(await isArchived(behindInspecting, contentId)).toBe(true);
  });
});

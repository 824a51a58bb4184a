import { type AddressInfo, createServer } from 'node:net';
import { type Context } from 'aws-lambda';

import { type handler as Handler } from '../../../lambdas/rotate-credentials/handler';
import { CREDENTIAL_KINDS } from '../../../core/secrets/secret-names';
import { trustedAuthority } from '../../faults/support/wire-world';
import { withWireRotation } from '../../faults/rotation/wire-rotation';
import { captureOutput } from '../../support/lambdas/captured-output';
import { LoopbackServer } from '../../support/lambdas/loopback-server';
import { loadBundle, useAwsEndpoint } from '../../support/lambdas/restore-bundle';
import { deploymentOf, TENANT_ID } from '../../support/lambdas/token-functions';

function contextWith(remainingMs: number): Context {
  return { awsRequestId: 'request-1', getRemainingTimeInMillis: () => remainingMs } as Context;
}

describe.each(CREDENTIAL_KINDS)('the function, bundled, with a secret of %s', (kind) => {
  test('T1: sends a credential to no other server, whatever the platform says', () =>
    withWireRotation({ kind }, async (world) => {
      const elsewhere = await LoopbackServer.start(await (await trustedAuthority()).issue());
      world.platform.trouble = () => ({
        kind: 'answer',
        status: 307,
        headers: { location: elsewhere.url },
        body: '',
      });
      world.stage(world.platform.issueValue(kind));

      expect(await world.run(world.begin())).toBe('could_not_test');

      expect(elsewhere.connections).toBe(0);
      world.platform.trouble = undefined;
      world.expectSound();
    }));

  test('rotates the secret under the prefix of its deployment', () =>
    withWireRotation({ kind, prefix: 'acme-secrets' }, async (world) => {
      const staged = world.platform.issueValue(kind);
      world.stage(staged);

      expect(await world.run(world.begin())).toBe('done');

      expect(world.secret.name).toMatch(/^acme-secrets\//);
      expect(world.valueAt('AWSCURRENT')).toBe(staged);
      world.expectSound();
    }));
});

test('a key is proven even by a list of contents that is too large to read', () =>
  withWireRotation({ kind: 'api-key' }, async (world) => {
    world.platform.trouble = () => ({ kind: 'answer', status: 200, body: 'x'.repeat(1024 * 1024) });
    world.stage(world.platform.issueValue('api-key'));

    expect(await world.run(world.begin())).toBe('done');
  }));

test.each(['sweep', 'announce'])(
  'without events, the action %s is refused with what is allowed',
  async (action) => {
    useAwsEndpoint('http://127.0.0.1:1');
    const loaded = loadBundle<typeof Handler>('rotate-credentials', deploymentOf([TENANT_ID]));

    await expect(loaded.handler({ action }, contextWith(1_800))).rejects.toMatchObject({
      name: 'EventError',
      message: expect.stringContaining('allowed: "prove"') as string,
    });
    loaded.remove();
  },
);

describe('the function, bundled, while Secrets Manager never answers', () => {
  test('fails the step before Lambda’s timeout, and names the call that failed', async () => {
    const silent = createServer((socket) => socket.unref()).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    useAwsEndpoint(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    const output = captureOutput();
    const loaded = loadBundle<typeof Handler>('rotate-credentials', deploymentOf([TENANT_ID]));
    const event = { SecretId: 'arn', ClientRequestToken: 'run-1', Step: 'testSecret' };
    const startMs = performance.now();

    await expect(loaded.handler(event, contextWith(1_800))).rejects.toMatchObject({
      name: 'RotationError',
      code: 'store_unavailable',
      message: expect.stringContaining(
        'secretsmanager:DescribeSecret on arn failed: no answer in time',
      ) as string,
    });

    expect(performance.now() - startMs).toBeLessThan(1_500);
    expect(output()).toContain('RotationFailed');
    loaded.remove();
    silent.close();
    jest.restoreAllMocks();
  });
});

import { type AddressInfo, createServer, type Server } from 'node:net';
import { type Context } from 'aws-lambda';

import { type handler as Refresh } from '../../../lambdas/token-refresh/handler';
import { type handler as Sweep } from '../../../lambdas/token-sweep/handler';
import { parseStoredToken } from '../../../core/tokens/stored-token';
import { oauthError } from '../../faults/support/platform-double';
import { withWireWorld } from '../../faults/support/wire-world';
import { type Situation } from '../../faults/support/world';
import { captureOutput } from '../../support/lambdas/captured-output';
import { type LoadedBundle, loadBundle } from '../../support/lambdas/restore-bundle';
import { deploymentOf, TENANT_ID } from '../../support/lambdas/token-functions';

const CONTEXT = contextWith(30_000);
const EVENT = { action: 'ensure', tenantId: TENANT_ID, interface: 'content', scope: 'api/read' };

let refresh: LoadedBundle<typeof Refresh>;
let sweep: LoadedBundle<typeof Sweep>;
let output: () => string;
let silent: Server;
const environment = { ...process.env };

/** The bundled functions with their deployment file. AWS accepts connections but never answers. */
beforeAll(async () => {
  silent = createServer((socket) => socket.unref()).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
  });
  refresh = loadBundle('token-refresh', deploymentOf([TENANT_ID]));
  sweep = loadBundle('token-sweep', deploymentOf([TENANT_ID]));
});
afterAll(() => {
  process.env = environment;
  silent.close();
  refresh.remove();
  sweep.remove();
});
beforeEach(() => (output = captureOutput()));
afterEach(() => jest.restoreAllMocks());

describe('the function, bundled', () => {
  test.each<[string, unknown, string]>([
    ['is invalid', { ...EVENT, scope: 'api/webhooks' }, 'invalid_request'],
    ['is none', undefined, 'invalid_request'],
    ['names a token of no declared key', { ...EVENT, scope: 'api/all' }, 'unknown_token_key'],
  ])('answers, without a function error, an event that %s', async (_, event, code) => {
    const answer = await refresh.handler(event, CONTEXT);

    expect(answer).toEqual({ ok: false, error: { code, message: expect.any(String) as string } });
  });

  test('never repeats an invalid digest, neither in the answer nor in its output', async () => {
    const answer = await refresh.handler({ ...EVENT, rejectedTokenSha256: 'canary-token' }, CONTEXT);

    expect(JSON.stringify(answer) + output()).not.toContain('canary-token');
  });

  test.each<[string, (context: Context) => Promise<unknown>, number]>([
    ['ensure', (context) => refresh.handler(EVENT, context), 1_600],
    ['sweep', (context) => sweep.handler({ action: 'sweep' }, context), 3_050],
  ])(
    'ends a %s a second before its timeout even if Secrets Manager never answers',
    async (_, run, remainingMs) => {
      // The SDK's first call in a process is slow; this test measures only the deadline.
      await run(contextWith(1_600));
      const startMs = performance.now();

      const answer = await run(contextWith(remainingMs));

      expect(performance.now() - startMs).toBeLessThan(remainingMs - 1_000);
      expect(JSON.stringify(answer)).toMatch(
        /secretsmanager:GetSecretValue on [^ ]+ failed: no answer in time/,
      );
    },
  );
});

describe.each(['ensure', 'sweep'] as const)('the function, bundled, with an event of %s', (action) => {
  const situation: Situation = { action, stored: 'none', tenantId: TENANT_ID, target: 'content api/read' };

  test('stores the token under the prefix of its deployment, and writes nothing else', () =>
    withWireWorld({ ...situation, prefix: 'acme-tokens' }, async (world) => {
      await world.invoke();

      const stored = world.versions().map(({ secretString }) => parseStoredToken(secretString, world.key));
      const writes = world.gate.calls.filter(({ operation }) => operation.startsWith('Put'));
      expect(world.tokenSecret.name).toBe('acme-tokens/staging/mea/eu-west-2_Acme/token/content/api-read');
      expect(stored).toMatchObject([{ accessToken: world.platform.issued[0]!.accessToken }]);
      expect(writes.map(({ secretId }) => secretId)).toEqual([world.tokenSecret.arn]);
    }));

  test('remembers between two invocations that the platform refused the credential', () =>
    withWireWorld(situation, async (world) => {
      world.platform.always = () => oauthError(401, 'invalid_client');

      const { answer: first } = await world.invoke();
      const { answer: second } = await world.invoke();

      for (const answer of [first, second]) expect(JSON.stringify(answer)).toContain('credential_refused');
      expect(world.platform.requests).toHaveLength(1);
    }));
});

function contextWith(remainingMs: number): Context {
  return { awsRequestId: 'request-1', getRemainingTimeInMillis: () => remainingMs } as Context;
}

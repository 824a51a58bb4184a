import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context } from 'aws-lambda';

import { type handler as Handler } from '../../../lambdas/token-refresh/handler';
import { bundle } from '../../../lib/bundling/bundle';
import { captureOutput } from '../../support/lambdas/captured-output';
import { deploymentOf, TENANT_ID } from '../../support/lambdas/token-functions';

const CONTEXT = contextWith(30_000);
const EVENT = { action: 'ensure', tenantId: TENANT_ID, interface: 'content', scope: 'api/read' };

let folder: string;
let handler: typeof Handler;
let output: () => string;
let silent: Server;
const environment = { ...process.env };

/** The bundled function with its deployment file. AWS accepts connections but never answers. */
beforeAll(async () => {
  silent = createServer((socket) => socket.unref()).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
  });
  folder = mkdtempSync(join(tmpdir(), 'token-refresh-'));
  writeFileSync(join(folder, 'index.js'), bundle('token-refresh'));
  writeFileSync(join(folder, 'deployment.json'), JSON.stringify(deploymentOf([TENANT_ID])));
  ({ handler } = createRequire(__filename)(join(folder, 'index.js')) as { handler: typeof Handler });
});
afterAll(() => {
  process.env = environment;
  silent.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => (output = captureOutput()));
afterEach(() => jest.restoreAllMocks());

describe('the function, bundled', () => {
  test.each<[string, unknown, string]>([
    ['is invalid', { ...EVENT, scope: 'api/webhooks' }, 'invalid_request'],
    ['is none', undefined, 'invalid_request'],
    ['names a token of no declared key', { ...EVENT, scope: 'api/all' }, 'unknown_token_key'],
  ])('answers, without a function error, an event that %s', async (_, event, code) => {
    const answer = await handler(event, CONTEXT);

    expect(answer).toEqual({ ok: false, error: { code, message: expect.any(String) as string } });
  });

  test('never repeats an invalid digest, neither in the answer nor in its output', async () => {
    const answer = await handler({ ...EVENT, rejectedTokenSha256: 'canary-token' }, CONTEXT);

    expect(JSON.stringify(answer) + output()).not.toContain('canary-token');
  });

  test.each<[string, object, number]>([
    ['ensure', EVENT, 1_600],
    ['sweep', { action: 'sweep' }, 3_050],
  ])(
    'ends a %s a second before its timeout even if Secrets Manager never answers',
    async (_, event, remainingMs) => {
      // The SDK's first call in a process is slow; this test measures only the deadline.
      await handler(EVENT, contextWith(1_600));
      const startMs = performance.now();

      const answer = await handler(event, contextWith(remainingMs));

      expect(performance.now() - startMs).toBeLessThan(remainingMs - 1_000);
      expect(JSON.stringify(answer)).toMatch(
        /secretsmanager:GetSecretValue on [^ ]+ failed: no answer in time/,
      );
    },
  );
});

function contextWith(remainingMs: number): Context {
  return { awsRequestId: 'request-1', getRemainingTimeInMillis: () => remainingMs } as Context;
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context } from 'aws-lambda';

import { type handler as Handler } from '../../../lambdas/token-refresh/handler';
import { bundle } from '../../../lib/bundling/bundle';
import { captureOutput } from '../../support/lambdas/captured-output';
import { deploymentOf, TENANT_ID } from '../../support/lambdas/token-functions';

const CONTEXT = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 30_000 } as Context;
const EVENT = { action: 'ensure', tenantId: TENANT_ID, interface: 'content', scope: 'api/read' };

let folder: string;
let handler: typeof Handler;
let output: () => string;

/** The function as it is deployed: its bundle with the deployment file beside it. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'token-refresh-'));
  writeFileSync(join(folder, 'index.js'), bundle('token-refresh'));
  writeFileSync(join(folder, 'deployment.json'), JSON.stringify(deploymentOf([TENANT_ID])));
  ({ handler } = createRequire(__filename)(join(folder, 'index.js')) as { handler: typeof Handler });
});
afterAll(() => rmSync(folder, { recursive: true }));
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

  test('never repeats what was put for a digest, neither in the answer nor in its output', async () => {
    const answer = await handler({ ...EVENT, rejectedTokenSha256: 'canary-token' }, CONTEXT);

    expect(JSON.stringify(answer) + output()).not.toContain('canary-token');
  });
});

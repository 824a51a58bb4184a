import { type Server } from 'node:net';
import { type Context } from 'aws-lambda';

import { type handler as Refresh } from '../../../lambdas/token-refresh/handler';
import { type handler as Sweep } from '../../../lambdas/token-sweep/handler';
import { parseStoredToken } from '../../../core/tokens/stored-token';
import { findCanaries } from '../../support/canaries';
import { BundledFunctions } from '../../support/lambdas/bundled-functions';
import { captureOutput } from '../../support/lambdas/captured-output';
import {
  currentValue,
  type LoadedBundle,
  loadBundle,
  useSilentAws,
} from '../../support/lambdas/restore-bundle';
import { deploymentOf, KEY, TENANT_ID } from '../../support/lambdas/token-functions';
import { oauthError } from '../../support/platform/credential-platform';

const CONTEXT = contextWith(30_000);
const EVENT = { action: 'ensure', tenantId: TENANT_ID, interface: 'content', scope: 'api/read' };

afterEach(() => jest.restoreAllMocks());

describe('the function, bundled, while Secrets Manager never answers', () => {
  let refresh: LoadedBundle<typeof Refresh>;
  let sweep: LoadedBundle<typeof Sweep>;
  let silent: Server;
  let output: () => string;
  beforeEach(async () => {
    silent = await useSilentAws();
    refresh = loadBundle('token-refresh', deploymentOf([TENANT_ID]));
    sweep = loadBundle('token-sweep', deploymentOf([TENANT_ID]));
    output = captureOutput();
  });
  afterEach(() => {
    silent.close();
    refresh.remove();
    sweep.remove();
  });

  test('answers an invalid event without a function error, and never repeats its digest', async () => {
    const answer = await refresh.handler({ ...EVENT, rejectedTokenSha256: 'canary-token' }, CONTEXT);

    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
    expect(JSON.stringify(answer) + output()).not.toContain('canary-token');
  });

  test.each<[string, (context: Context) => Promise<unknown>, number]>([
    ['ensure', (context) => refresh.handler(EVENT, context), 1_600],
    ['sweep', (context) => sweep.handler({ action: 'sweep' }, context), 3_050],
  ])('ends a %s a second before its timeout', async (_, run, remainingMs) => {
    // The SDK's first call in a process is slow; this test measures only the deadline.
    await run(contextWith(1_600));
    const startMs = performance.now();

    const answer = await run(contextWith(remainingMs));

    expect(performance.now() - startMs).toBeLessThan(remainingMs - 1_000);
    expect(JSON.stringify(answer)).toMatch(
      /secretsmanager:GetSecretValue on [^ ]+ failed: no answer in time/,
    );
  });
});

describe.each([
  ['token-refresh', EVENT],
  ['token-sweep', { action: 'sweep' }],
])('%s, bundled, over the wire', (name, event) => {
  test('stores the token under the prefix of its deployment, and writes nothing else', () =>
    BundledFunctions.use(async (functions) => {
      const { aws, platform, token } = functions;

      await functions.invoke(name, event);

      const versions = [...aws.account.secrets.values()].map((secret) => [secret.name, secret.versions.size]);
      expect(Object.fromEntries(versions)).toEqual({
        'acme-tokens/staging/mea/eu-west-2_Acme/client-credentials': 1,
        'acme-tokens/staging/mea/eu-west-2_Acme/api-key': 1,
        'acme-tokens/staging/mea/eu-west-2_Acme/token/content/api-read': 1,
      });
      expect(platform.issued).toEqual([parseStoredToken(currentValue(token)!, KEY)?.accessToken]);
      expect(findCanaries(platform.canaries, [{ place: 'output', text: functions.output() }])).toEqual([]);
    }, 'acme-tokens'));

  test('remembers between two invocations that the platform refused the credential', () =>
    BundledFunctions.use(async (functions) => {
      functions.platform.trouble = () => oauthError(401, 'invalid_client');

      const first = await functions.invoke(name, event);
      const second = await functions.invoke(name, event);

      for (const answer of [first, second]) expect(JSON.stringify(answer)).toContain('credential_refused');
      expect(functions.platform.requestedScopes).toHaveLength(1);
    }));
});

function contextWith(remainingMs: number): Context {
  return { awsRequestId: 'request-1', getRemainingTimeInMillis: () => remainingMs } as Context;
}

import { type Context } from 'aws-lambda';

import { type handler as Handler } from '../../../lambdas/credential-watch/handler';
import { ALARMED_FINDINGS } from '../../../core/alarms/metrics';
import { type DeploymentSnapshot } from '../../../core/deployment/deployment-snapshot';
import { LocalAws } from 'cdk-on-loopback/testing/local-aws';
import { captureOutput, jsonLines } from '../../support/lambdas/captured-output';
import { loadBundle, type LoadedBundle } from '../../support/lambdas/restore-bundle';
import { deploymentOf } from '../../support/lambdas/token-functions';

const DAY_MS = 86_400_000;
/** Not the usual one, which wiring might use by mistake. */
const PREFIX = 'acme-tokens';
const VERSION_ID = crypto.randomUUID();
const PATH = `${PREFIX}/staging/mea/acme`;
const aws = new LocalAws();
const environment = { ...process.env };
let watch: LoadedBundle<typeof Handler>;
let output: () => string;

/** The bundled function with its deployment file and a fake Secrets Manager. */
beforeAll(async () => {
  await aws.start();
  const { accessKeyId, secretAccessKey } = aws.administrator;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: aws.url,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  });
  const nowMs = Date.now();
  const tokenType = { interface: 'content', scope: 'api/read' };
  load(`${PATH}/client-credentials`, { clientId: 'id', clientSecret: 'canary-secret' });
  load(`${PATH}/api-key`, {
    apiKey: 'canary-key',
    validUntil: new Date(nowMs + 3 * DAY_MS).toISOString(),
  });
  load(`${PATH}/token/content/api-read`, {
    environment: 'staging',
    platformRegion: 'mea',
    tenantId: 'acme',
    ...tokenType,
    tokenType: 'Bearer',
    accessToken: 'canary-token',
    issuedAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + 3_600_000).toISOString(),
    credentialVersionId: VERSION_ID,
  });
  watch = loadBundle('credential-watch', deploymentOf(['acme', 'absent'], { prefix: PREFIX }));
});
afterAll(async () => {
  process.env = environment;
  await aws.stop();
  watch.remove();
});
beforeEach(() => (output = captureOutput()));
afterEach(() => jest.restoreAllMocks());

describe('the function, bundled', () => {
  test('reports the state of the requested tenants, without any values', async () => {
    const answer = (await watch.handler(
      { action: 'report', tenantIds: ['acme'] },
      CONTEXT,
    )) as DeploymentSnapshot;

    const [tenant] = answer.tenants;
    expect(answer.tenants).toHaveLength(1);
    expect(tenant!.credentials).toMatchObject([
      { kind: 'client-credentials', access: 'ok', rotationEnabled: false },
      { kind: 'api-key', access: 'ok', validUntil: expect.any(String) as string },
    ]);
    expect(tenant!.tokens).toMatchObject([
      { access: 'ok', token: { expiresAt: expect.any(String) as string } },
    ]);
    expect(JSON.stringify(answer) + output()).not.toContain('canary');
  });

  test('watches: returns the findings, and records the metrics', async () => {
    const answer = await watch.handler({ action: 'watch' }, CONTEXT);

    const kinds = (answer as { findings: { kind: string }[] }).findings.map(({ kind }) => kind);
    expect(kinds).toEqual(['secret_missing', 'secret_missing', 'api_key_expiring_in_7_days']);
    expect(jsonLines(output()).filter((line) => '_aws' in line)).toMatchObject([
      { tenantId: 'acme', CredentialAttention: 1 },
      { environment: 'staging', platformRegion: 'mea', WatchRun: 1 },
      ...ALARMED_FINDINGS.map((code) => ({ code, Finding: 0 })),
      { code: 'secret_missing', Finding: 2 },
      { code: 'api_key_expiring_in_7_days', Finding: 1 },
      { kind: 'client-credentials', CredentialAge: expect.any(Number) as number },
      { kind: 'api-key', DaysToExpiry: expect.any(Number) as number },
    ]);
    expect(JSON.stringify(answer) + output()).not.toContain('canary');
  });

  test('refuses another action, and names those that it has', async () => {
    const refused = watch.handler({ action: 'prove' }, CONTEXT);

    await expect(refused).rejects.toThrow('action: found "prove"; allowed: "watch", "report"');
  });
});

const CONTEXT = { getRemainingTimeInMillis: () => 60_000, awsRequestId: 'r' } as Context;

function load(name: string, value: object): void {
  aws.addVersion(aws.addSecret(name), VERSION_ID, JSON.stringify(value));
}

import { type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { SecretsManagerInspector } from '../../../../lambdas/shared/adapters/secrets-manager-inspector';
import { ACCOUNT_ID, LocalAws, REGION } from 'cdk-on-loopback/testing/local-aws';
import { deploymentOf } from '../../../support/lambdas/token-functions';

const TARGET = { interface: 'content', scope: 'api/read' } as const;
const tenant = (tenantId: string) => ({ environment: 'staging', platformRegion: 'mea', tenantId }) as const;
const below = (name: string) =>
  `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:latchkey/staging/mea/*/${name}-??????`;

const aws = new LocalAws();
let client: SecretsManagerClient;

/** An inspector with the permissions of credential-watch only. */
beforeAll(async () => {
  await aws.start();
  client = aws.secretsManager(
    aws.roleKey(
      {
        Effect: 'Allow',
        Action: ['secretsmanager:DescribeSecret', 'secretsmanager:ListSecretVersionIds'],
        Resource: [below('client-credentials'), below('api-key')],
      },
      {
        Effect: 'Allow',
        Action: 'secretsmanager:GetSecretValue',
        Resource: [below('api-key'), below('token/*')],
      },
    ),
  );
  load('latchkey/staging/mea/loaded/client-credentials', '{}');
  load('latchkey/staging/mea/loaded/api-key', '{}');
});
afterAll(() => aws.stop());

const lookAt = async (tenantId: string) => {
  const inspector = new SecretsManagerInspector(client, deploymentOf([tenantId]));
  return Promise.all([
    inspector.credential(tenant(tenantId), 'client-credentials', 5_000),
    inspector.credential(tenant(tenantId), 'api-key', 5_000),
    inspector.token(tenant(tenantId), TARGET, 5_000),
  ]);
};

describe('with the permissions of credential-watch', () => {
  test('loaded credentials have the time of their current version', async () => {
    const [clientCredentials, apiKey] = await lookAt('loaded');

    const seen = {
      access: 'ok',
      promotedAt: expect.any(String) as string,
      versions: [{ labels: ['AWSCURRENT'] }],
    };
    expect(clientCredentials).toMatchObject(seen);
    expect(apiKey).toMatchObject(seen);
  });

  test('secrets that do not exist are missing, although AWS denies access', async () => {
    expect(await lookAt('absent')).toMatchObject([
      { access: 'missing' },
      { access: 'missing' },
      { access: 'missing' },
    ]);
  });
});

function load(name: string, secretString: string): void {
  const versionId = crypto.randomUUID();
  const version = { versionId, secretString, stages: new Set(['AWSCURRENT']), createdAtMs: Date.now() };
  aws.addSecret(name).versions.set(versionId, version);
}

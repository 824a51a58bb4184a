import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { describeDeployments, operatorPolicyArns } from '../../laptop/run-description';
import { type SandboxTenant } from '../../laptop/sandbox-control';
import { newFolder } from '../support/new-folder';
import { emptyAccount, provisionResources, roleFor } from 'cdk-on-loopback/testing';

const deployment: Partial<DeploymentFile> = {
  prefix: 'own',
  environment: 'production',
  platformRegion: 'global',
  platform: { contentBaseUrl: 'https://c', contentTokenBaseUrl: 'https://t' },
  tenants: [
    {
      tenantId: 't1',
      tokens: [{ interface: 'content', scope: 'api/write' }],
      adopted: { apiKey: 'arn:adopted' },
    },
  ],
};
const IN_SANDBOX = { archivedContentIds: ['a'], authorRefs: ['r'], collaborationIds: ['c'] };
const SANDBOX_TENANT: SandboxTenant = {
  environment: 'production',
  platformRegion: 'global',
  tenantId: 't1',
  ...IN_SANDBOX,
};
const arnOf = (name = '') => `arn:aws:secretsmanager:eu-west-1:111111111111:secret:${name}-XXXXXX`;

const STAGES = { urlOf: (id: string, stage: string) => `https://127.0.0.1:1/${id}/${stage}` };

const codeDir = newFolder();
beforeAll(() => writeFileSync(join(codeDir, 'deployment.json'), JSON.stringify(deployment)));

const deploy = (secrets: string[]) => {
  type Resource = [type: string, properties: Record<string, unknown>];
  const fn: Resource = [
    'AWS::Lambda::Function',
    {
      Code: { S3Bucket: 'b', S3Key: 'k' },
      Handler: 'h.h',
      Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
      Runtime: 'nodejs24.x',
    },
  ];
  const parameter = (leaf: string, Value: unknown): Resource => [
    'AWS::SSM::Parameter',
    { Name: `/own/production/global/${leaf}`, Type: 'String', Value },
  ];
  const account = emptyAccount();
  const resources = {
    Role: roleFor('lambda.amazonaws.com'),
    Refresh: fn,
    Sweep: fn,
    KeyArn: parameter('key-arn', { Ref: 'Role' }),
    RefreshArn: parameter('token-refresh-arn', { Ref: 'Refresh' }),
    ApiUrl: parameter('restore-api-url', 'https://abc.execute-api.eu-west-1.amazonaws.com/v1/'),
    OperatorArn: parameter('operator-policy-arn', { Ref: 'Sweep' }),
    ...Object.fromEntries(
      secrets.map((Name, n): [string, Resource] => [`S${n}`, ['AWS::SecretsManager::Secret', { Name }]]),
    ),
  };
  const assetDirs = new Map([['k', codeDir]]);
  const stack = provisionResources(resources, { account, stackName: 'own-production-global', assetDirs });
  return { account, stack };
};
const SECRETS = [
  'own/production/global/t1/client-credentials',
  'own/production/global/t1/token/content/api-write',
];

describe('describeDeployments', () => {
  test('describes each deployment once, by the names in its stack’s parameters', () => {
    const { account, stack } = deploy(SECRETS);

    expect(describeDeployments(account, [stack], [SANDBOX_TENANT], STAGES)).toEqual([
      {
        environment: 'production',
        platformRegion: 'global',
        stack: 'own-production-global',
        functions: { tokenRefresh: 'own-production-global-Refresh-XXXXXXXXXXXX' },
        restoreApiUrl: 'https://127.0.0.1:1/abc/v1',
        platform: deployment.platform,
        tenants: [
          {
            tenantId: 't1',
            clientCredentialsArn: arnOf(SECRETS[0]),
            apiKeyArn: 'arn:adopted',
            tokens: [{ interface: 'content', scope: 'api/write', arn: arnOf(SECRETS[1]) }],
            ...IN_SANDBOX,
          },
        ],
      },
    ]);
    expect(operatorPolicyArns(account)).toEqual(['own-production-global-Sweep-XXXXXXXXXXXX']);
  });

  test('names a secret that no stack has, and a tenant that the sandbox does not have', () => {
    const { account, stack } = deploy([SECRETS[0]!]);

    expect(() => describeDeployments(account, [stack], [SANDBOX_TENANT], STAGES)).toThrow(
      `no stack has the secret ${SECRETS[1]}`,
    );
    expect(() => describeDeployments(account, [stack], [], STAGES)).toThrow(
      'the sandbox has no tenant t1 in production global',
    );
  });
});

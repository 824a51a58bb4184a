import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { describeDeployments, operatorPolicyArns } from '../../laptop/run-description';
import { type SandboxTenant } from '../../laptop/sandbox-control';
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
const SANDBOX_TENANT: SandboxTenant = {
  environment: 'production',
  platformRegion: 'global',
  tenantId: 't1',
  archivedContentIds: ['a'],
  authorRefs: ['r'],
  collaborationIds: ['c'],
};

const STAGES = { urlOf: (id: string, stage: string) => `https://127.0.0.1:1/${id}/${stage}` };

let codeDir: string;
beforeEach(() => {
  codeDir = mkdtempSync(join(tmpdir(), 'code-'));
  writeFileSync(join(codeDir, 'deployment.json'), JSON.stringify(deployment));
});
afterEach(() => rmSync(codeDir, { recursive: true }));

const deploy = (secrets: string[]) => {
  const account = emptyAccount();
  const functionOf = (): [string, Record<string, unknown>] => [
    'AWS::Lambda::Function',
    {
      Code: { S3Bucket: 'b', S3Key: 'k' },
      Handler: 'h.h',
      Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
      Runtime: 'nodejs24.x',
    },
  ];
  const parameter = (leaf: string, id: string): [string, Record<string, unknown>] => [
    'AWS::SSM::Parameter',
    { Name: `/own/production/global/${leaf}`, Type: 'String', Value: { Ref: id } },
  ];
  const stack = provisionResources(
    {
      Role: roleFor('lambda.amazonaws.com'),
      Refresh: functionOf(),
      Sweep: functionOf(),
      KeyArn: parameter('key-arn', 'Role'),
      RefreshArn: parameter('token-refresh-arn', 'Refresh'),
      ApiUrl: [
        'AWS::SSM::Parameter',
        {
          Name: '/own/production/global/restore-api-url',
          Type: 'String',
          Value: 'https://abc.execute-api.eu-west-1.amazonaws.com/v1/',
        },
      ],
      OperatorArn: parameter('operator-policy-arn', 'Sweep'),
      ...Object.fromEntries(
        secrets.map((Name, n) => [
          `S${n}`,
          ['AWS::SecretsManager::Secret', { Name }] as [string, Record<string, unknown>],
        ]),
      ),
    },
    { account, stackName: 'own-production-global', assetDirs: new Map([['k', codeDir]]) },
  );
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
            clientCredentialsArn: `arn:aws:secretsmanager:eu-west-1:111111111111:secret:${SECRETS[0]}-XXXXXX`,
            apiKeyArn: 'arn:adopted',
            tokens: [
              {
                interface: 'content',
                scope: 'api/write',
                arn: `arn:aws:secretsmanager:eu-west-1:111111111111:secret:${SECRETS[1]}-XXXXXX`,
              },
            ],
            archivedContentIds: ['a'],
            authorRefs: ['r'],
            collaborationIds: ['c'],
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

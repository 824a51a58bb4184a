import { Account } from 'cdk-on-loopback/testing';
import { ACCOUNT_ID, configuration, REGION, tenant } from '../support/lib/configuration';
import { addSecret, may, provisionSynthesis } from '../support/lib/provisioned';
import { synthesizeOnce } from '../support/lib/synthesis';

const KEY_ARN = `arn:aws:kms:${REGION}:${ACCOUNT_ID}:key/00000000-0000-0000-0000-000000000000`;
const PATH = 'latchkey/staging/global/tenant-a';
const arnOf = (name: string) => `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:${name}-AbCdEf`;
const adopting = (adopt: { clientCredentials?: string; apiKey?: string }) =>
  configuration({ kmsKeyArn: KEY_ARN, tenants: [{ ...tenant('tenant-a'), adopt }] });
const TENANT_STACK = 'latchkey-staging-global-tenant-a';

describe('an adopted credential secret', () => {
  const synthesis = synthesizeOnce(adopting({ clientCredentials: arnOf(`${PATH}/client-credentials`) }));

  it('is used by its ARN and not created; the others are created', () => {
    const created = synthesis
      .resourcesOf(TENANT_STACK, 'AWS::SecretsManager::Secret')
      .map(({ Properties }) => Properties.Name);

    expect(created).toEqual([`${PATH}/api-key`, `${PATH}/token/content/api-read`]);
  });

  it('gets the same resource policy as every secret', () => {
    const policies = synthesis.resourcesOf(TENANT_STACK, 'AWS::SecretsManager::ResourcePolicy');

    expect(policies).toHaveLength(3);
    expect(policies[0]!.Properties).toMatchObject({
      SecretId: arnOf(`${PATH}/client-credentials`),
      BlockPublicPolicy: true,
      ResourcePolicy: { Statement: [{ Effect: 'Deny', Resource: arnOf(`${PATH}/client-credentials`) }] },
    });
  });

  it('can be read by the same roles as a created one', () => {
    const account = new Account(ACCOUNT_ID, REGION);
    account.keys.set(KEY_ARN, {
      arn: KEY_ARN,
      policy: {
        Statement: {
          Effect: 'Allow',
          Principal: { AWS: `arn:aws:iam::${ACCOUNT_ID}:root` },
          Action: 'kms:*',
          Resource: '*',
        },
      },
    });
    const secret = addSecret(account, `${PATH}/client-credentials`, KEY_ARN);

    const { roles } = provisionSynthesis(synthesis, account);

    const readers = roles.filter(({ arn }) =>
      may({ account, roleArn: arn }, 'GetSecretValue', account, secret),
    );
    expect(readers.map(({ description }) => description)).toEqual([
      'Role of token-refresh of staging global',
      'Role of token-sweep of staging global',
      'Role of rotate-credentials of staging global',
    ]);
    expect(secret.resourcePolicy).toBeDefined();
  });

  it('has the same rotation as a created one', () => {
    const schedules = synthesis.resourcesOf(TENANT_STACK, 'AWS::SecretsManager::RotationSchedule');

    expect(schedules.map(({ Properties }) => Properties.SecretId)).toEqual([
      arnOf(`${PATH}/client-credentials`),
      { Ref: expect.stringMatching(/^ApiKeyShellSecret/) as string },
    ]);
    expect(schedules[0]!.Properties).toEqual({
      ...schedules[1]!.Properties,
      SecretId: arnOf(`${PATH}/client-credentials`),
    });
  });

  it('is in the deployment file with its ARN', () => {
    const [asset] = synthesis.deploymentFiles();

    expect(asset).toMatchObject({
      tenants: [{ adopted: { clientCredentials: arnOf(`${PATH}/client-credentials`) } }],
    });
  });
});

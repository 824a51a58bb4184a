import { type App, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';

import { type ITokenSecret, TokenSecret } from '../../lib';
import { Account, type Secret, syncReplicas } from 'cdk-on-loopback/testing';
import { ACCOUNT_ID, REGION, tenant, TOKEN_KEY, type WrittenDeployment } from '../support/lib/configuration';
import { latchkeyIn, learningStack } from '../support/lib/learning';
import { addKey, addOperator, addRole, isAllowed, provisionSynthesis } from '../support/lib/provisioned';
import { Synthesis, synthesisWith, temporaryApp } from '../support/lib/synthesis';

const OTHER = 'eu-central-1';
const OTHER_KEY = `arn:aws:kms:${OTHER}:${ACCOUNT_ID}:key/mrk-1111`;
const LEGACY = `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:legacy/client-AbCdEf`;
const READER_ACCOUNT = '333344445555';

const replicated = (deployment: Partial<WrittenDeployment> = {}) =>
  synthesisWith({ replicaRegions: [{ region: OTHER, kmsKeyArn: OTHER_KEY }], ...deployment });
const secretIn = (place: Account, part: string): Secret =>
  [...place.secrets.values()].find(({ name }) => name.includes(part))!;

/** The account with its replicas, which have arrived, and the roles of functions and an operator by their names. */
function provisioned(deployment: Partial<WrittenDeployment> = {}) {
  const { account, roles } = provisionSynthesis(replicated(deployment));
  const there = account.inRegion(OTHER);
  addKey(there, OTHER_KEY);
  syncReplicas(account, 0);
  syncReplicas(account, 60_000);
  const callers = new Map([['operator', addOperator(account)]]);
  for (const { arn, description } of roles) {
    const [, name] = /^Role of ([a-z-]+) of /.exec(description) ?? [];
    if (name !== undefined) callers.set(name, { account, roleArn: arn });
  }
  return { account, there, callers };
}

describe('replicaRegions', () => {
  it('replicates every token and credential that the stacks create, with the key of a region that has one', () => {
    const replicaRegions = [{ region: OTHER, kmsKeyArn: OTHER_KEY }, 'eu-north-1'];
    const secrets = replicated({ replicaRegions }).properties('AWS::SecretsManager::Secret');

    expect(secrets).toHaveLength(3);
    for (const { ReplicaRegions } of secrets)
      expect(ReplicaRegions).toEqual([{ Region: OTHER, KmsKeyId: OTHER_KEY }, { Region: 'eu-north-1' }]);
  });

  it('changes nothing about an adopted secret', () => {
    const adopting = { tenants: [{ ...tenant('tenant-a'), adopt: { clientCredentials: LEGACY } }] };
    const secrets = replicated(adopting).properties('AWS::SecretsManager::Secret');

    expect(secrets.map(({ Name }) => Name)).toEqual([
      expect.stringContaining('/api-key'),
      expect.stringContaining('/token/'),
    ]);
  });

  it('can be read from another account, under the ARN of either region', () => {
    const readerAccounts = [READER_ACCOUNT];
    const tenants = [tenant('tenant-a', [{ interface: 'content', scope: 'api/read', readerAccounts }])];
    const { account, there } = provisioned({ tenants });
    const foreign = addRole(
      new Account(READER_ACCOUNT, REGION),
      `arn:aws:iam::${READER_ACCOUNT}:role/service`,
    );

    for (const owner of [account, there]) {
      const { arn, resourcePolicy: policy } = secretIn(owner, '/token/');
      expect(isAllowed(foreign, 'secretsmanager:GetSecretValue', { arn, owner, policy })).toBe(true);
    }
  });
});

describe('with replicaRegions', () => {
  const { account, there, callers } = provisioned();
  const WRITERS = [
    'operator: /client-credentials',
    'operator: /api-key',
    'token-refresh: /token/',
    'token-sweep: /token/',
    'rotate-credentials: /client-credentials',
    'rotate-credentials: /api-key',
  ];

  /** Who may use the key of which secrets of a region for an action, such as `token-refresh: /token/`. */
  function users(
    owner: Account,
    action: 'kms:Encrypt' | 'kms:GenerateDataKey' | 'kms:Decrypt',
    service: string,
    arnOf = ({ arn }: Secret) => arn,
  ): string[] {
    return [...callers].flatMap(([name, caller]) =>
      ['/token/', '/client-credentials', '/api-key']
        .filter((part) => {
          const secret = secretIn(owner, part);
          const { arn, policy } = owner.keys.get(secret.kmsKeyArn!)!;
          return isAllowed(
            caller,
            action,
            { arn, owner, policy },
            {
              'kms:ViaService': `${service}.amazonaws.com`,
              'kms:CallerAccount': ACCOUNT_ID,
              'kms:EncryptionContext:SecretARN': arnOf(secret),
            },
          );
        })
        .map((part) => `${name}: ${part}`),
    );
  }

  it.each(['kms:Encrypt', 'kms:GenerateDataKey'] as const)(
    'who writes a secret may use the key of its replica, and only through Secrets Manager: %s',
    (action) => {
      expect(users(there, action, `secretsmanager.${OTHER}`)).toEqual(WRITERS);
      expect(users(there, action, `s3.${OTHER}`)).toEqual([]);
      const ofProduction = ({ arn }: Secret) => arn.replace('staging', 'production');
      expect(users(there, action, `secretsmanager.${OTHER}`, ofProduction)).toEqual([]);
    },
  );

  it('they may use the primary’s key through Secrets Manager of the other region as well', () => {
    expect(users(account, 'kms:Decrypt', `secretsmanager.${OTHER}`)).toEqual(WRITERS);
    expect(users(account, 'kms:Decrypt', `s3.${OTHER}`)).toEqual([]);
  });

  it('operators see how the replicas of tokens do', () => {
    const { arn, resourcePolicy: policy } = secretIn(account, '/token/');
    const operator = callers.get('operator')!;

    expect(isAllowed(operator, 'secretsmanager:DescribeSecret', { arn, owner: account, policy })).toBe(true);
  });
});

describe('replicaRegions of a construct', () => {
  const REPLICAS = [{ region: OTHER, kmsKeyArn: OTHER_KEY }, 'us-east-1'];
  const arnIn = (region: string) =>
    `:secretsmanager:${region}:${ACCOUNT_ID}:secret:latchkey/staging/global/tenant-a/token/content/api-read-??????`;

  /** What a reader of a stack may do, a text for each statement. */
  function statementsOf(stack: Stack, tokenIn: () => ITokenSecret): string[] {
    const assumedBy = new iam.ServicePrincipal('ecs-tasks.amazonaws.com');
    tokenIn().grantReadToken(new iam.Role(stack, 'Reader', { assumedBy }));
    const synthesis = new Synthesis(stack.node.root as App);
    return synthesis.statements('Reader').map((each) => JSON.stringify(each));
  }

  it('let a reader of a token read its replicas, with their key and no other secret', () => {
    const stack = learningStack();
    const latchkey = latchkeyIn(stack, { replicaRegions: REPLICAS });
    const statements = statementsOf(stack, () => latchkey.token('tenant-a', 'content', 'api/read'));

    for (const region of [OTHER, 'us-east-1']) expect(statements.join()).toContain(arnIn(region));
    expect(statements.join()).toContain(`secretsmanager.${OTHER}.`);
    expect(statements.filter((each) => each.includes(`"Resource":"${OTHER_KEY}"`))).toHaveLength(1);
  });

  it('let a reader in another app read the replicas that it knows of, and decrypt with either ARN', () => {
    const stack = new Stack(temporaryApp(), 'reader', { env: { account: READER_ACCOUNT, region: OTHER } });
    const owner = { account: ACCOUNT_ID, region: REGION, encryptionKeyArn: OTHER_KEY.replace(OTHER, REGION) };
    const replicas = [{ region: OTHER, kmsKeyArn: OTHER_KEY }];
    const statements = statementsOf(stack, () => TokenSecret.fromKey(stack, TOKEN_KEY, { owner, replicas }));

    expect(statements.filter((each) => each.includes(OTHER_KEY))).toEqual([
      expect.stringContaining(arnIn('*')),
    ]);
    expect(statements.find((each) => each.includes('GetSecretValue'))).toEqual(
      expect.stringMatching(/secretsmanager:eu-west-1.*secretsmanager:eu-central-1/),
    );
  });
});

import { type App, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';

import { TokenSecret } from '../../lib';
import { type TokenKey } from '../../core/tokens/published-keys';
import {
  type Account,
  authorize,
  type PolicyDocument,
  type PolicyStatement,
  type Secret,
  syncReplicas,
} from 'cdk-on-loopback/testing';
import {
  ACCOUNT_ID,
  configuration,
  REGION,
  tenant,
  type WrittenDeployment,
} from '../support/lib/configuration';
import { latchkeyIn, learningStack } from '../support/lib/learning';
import { type DescribedRole, provisionSynthesis } from '../support/lib/provisioned';
import { Synthesis, synthesizeOnce, temporaryApp } from '../support/lib/synthesis';

const OTHER = 'eu-central-1';
const OTHER_KEY = `arn:aws:kms:${OTHER}:${ACCOUNT_ID}:key/mrk-1111`;
const LEGACY = `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:legacy/client-AbCdEf`;
const READER_ACCOUNT = '333344445555';

const synthesized = (deployment: Partial<WrittenDeployment>) => synthesizeOnce(configuration(deployment));
const replicated = (deployment: Partial<WrittenDeployment> = {}) =>
  synthesized({ replicaRegions: [{ region: OTHER, kmsKeyArn: OTHER_KEY }], ...deployment });

describe('replicaRegions', () => {
  it('replicates every token and credential that the stacks create', () => {
    const secrets = synthesized({ replicaRegions: [OTHER, { region: 'eu-north-1' }] }).properties(
      'AWS::SecretsManager::Secret',
    );

    expect(secrets).toHaveLength(3);
    for (const { ReplicaRegions } of secrets)
      expect(ReplicaRegions).toEqual([{ Region: OTHER }, { Region: 'eu-north-1' }]);
  });

  it('gives the replicas their key', () => {
    const [first] = replicated().properties('AWS::SecretsManager::Secret');

    expect(first!.ReplicaRegions).toEqual([{ Region: OTHER, KmsKeyId: OTHER_KEY }]);
  });

  it('changes nothing about an adopted secret', () => {
    const adopting = { tenants: [{ ...tenant('tenant-a'), adopt: { clientCredentials: LEGACY } }] };

    const kinds = replicated(adopting)
      .properties('AWS::SecretsManager::Secret')
      .map(({ Name }) => Name);
    expect(kinds).toEqual([expect.stringContaining('/api-key'), expect.stringContaining('/token/')]);
  });

  it('leaves all templates as they are without it', () => {
    const mentions = synthesized({})
      .resources()
      .filter((resource) => /ReplicaRegions|secretsmanager\.\*/.test(JSON.stringify(resource)));

    expect(mentions).toEqual([]);
  });

  it('can be read from another account, under the ARN of either region', () => {
    const readerAccounts = [READER_ACCOUNT];
    const tenants = [tenant('tenant-a', [{ interface: 'content', scope: 'api/read', readerAccounts }])];
    const { account } = provisioned({ tenants });

    for (const place of [account, account.inRegion(OTHER)]) {
      const token = secretIn(place, '/token/');
      expect(mayForeign(place, token)).toBe(true);
      expect(mayForeign(place, token, 'false')).toBe(false);
    }
  });

  describe('the keys of replicas', () => {
    const { account, roles } = provisioned();
    const roleOf = (name: string) =>
      roles.find(({ description }) => description.startsWith(`Role of ${name} `))!;

    it.each([
      ['token-refresh', '/token/'],
      ['token-sweep', '/token/'],
      ['rotate-credentials', '/client-credentials'],
      ['rotate-credentials', '/api-key'],
    ])('let %s write a new version of %s, and only through Secrets Manager', (name, part) => {
      const secret = secretIn(account.inRegion(OTHER), part);
      const role = roleOf(name);

      expect(mayEncrypt(account, role, secret)).toBe(true);
      expect(mayEncrypt(account, role, secret, 's3')).toBe(false);
      expect(mayEncrypt(account, role, { ...secret, arn: secret.arn.replace('staging', 'production') })).toBe(
        false,
      );
    });

    it.each([
      ['token-refresh', '/token/'],
      ['token-sweep', '/token/'],
      ['rotate-credentials', '/client-credentials'],
    ])('let %s use the primary’s key of %s through Secrets Manager of either region', (name, part) => {
      const through = (service: string) => mayDecryptThrough(service, account, roleOf(name), part);

      expect(through(`secretsmanager.${REGION}`)).toBe(true);
      expect(through(`secretsmanager.${OTHER}`)).toBe(true);
      expect(through(`s3.${OTHER}`)).toBe(false);
    });

    it.each([
      ['token-refresh', '/client-credentials'],
      ['rotate-credentials', '/token/'],
      ['credential-watch', '/token/'],
      ['restore', '/token/'],
    ])('are not for %s and %s', (name, part) => {
      expect(mayEncrypt(account, roleOf(name), secretIn(account.inRegion(OTHER), part))).toBe(false);
    });

    it('let operators load credentials', () => {
      const operator = { ...roleOf('restore'), arn: operatorOf(account) };

      expect(mayEncrypt(account, operator, secretIn(account.inRegion(OTHER), '/api-key'))).toBe(true);
      expect(mayEncrypt(account, operator, secretIn(account.inRegion(OTHER), '/token/'))).toBe(false);
    });

    it.each([
      ['with', { account }, true],
      ['without', provisionSynthesis(synthesized({})), false],
    ])(
      'let operators see how the replicas of tokens do, %s replicaRegions',
      (_, { account: owner }, isAllowed) => {
        const { arn, resourcePolicy } = secretIn(owner, '/token/');
        const { allowed } = authorize(owner, {
          principal: sessionOf(operatorOf(owner)),
          action: 'secretsmanager:DescribeSecret',
          resource: arn,
          resourceAccount: ACCOUNT_ID,
          resourcePolicy,
          context: {},
        });

        expect(allowed).toBe(isAllowed);
      },
    );

    it('are the only reason why: without the statement, no replica could be written', () => {
      for (const [name, part] of [
        ['token-refresh', '/token/'],
        ['token-sweep', '/token/'],
        ['rotate-credentials', '/client-credentials'],
      ] as const) {
        const role = account.roles.get(roleOf(name).arn)!;
        const before = role.inlinePolicies;
        role.inlinePolicies = before.map(({ name: policy, document }) => ({
          name: policy,
          document: without(document, OTHER_KEY),
        }));
        expect(mayEncrypt(account, roleOf(name), secretIn(account.inRegion(OTHER), part))).toBe(false);
        role.inlinePolicies = before;
      }
    });
  });
});

/** The account with its replicas, which have arrived. */
function provisioned(deployment: Partial<WrittenDeployment> = {}): {
  account: Account;
  roles: DescribedRole[];
} {
  const { account, roles } = provisionSynthesis(replicated(deployment));
  const owner = `arn:aws:iam::${ACCOUNT_ID}:root`;
  account.inRegion(OTHER).keys.set(OTHER_KEY, {
    arn: OTHER_KEY,
    policy: { Statement: { Effect: 'Allow', Principal: { AWS: owner }, Action: 'kms:*', Resource: '*' } },
  });
  syncReplicas(account, 0);
  syncReplicas(account, 60_000);
  return { account, roles };
}

function secretIn(place: Account, part: string): Secret {
  return [...place.secrets.values()].find(({ name }) => name.includes(part))!;
}

/** @param service as in `kms:ViaService`, such as `secretsmanager.eu-west-1` */
function mayDecryptThrough(
  service: string,
  account: Account,
  { arn }: Pick<DescribedRole, 'arn'>,
  part: string,
): boolean {
  const secret = secretIn(account, part);
  const key = account.keys.get(secret.kmsKeyArn!)!;
  return authorize(account, {
    principal: sessionOf(arn),
    action: 'kms:Decrypt',
    resource: key.arn,
    resourceAccount: ACCOUNT_ID,
    resourcePolicy: key.policy,
    context: {
      'kms:ViaService': `${service}.amazonaws.com`,
      'kms:CallerAccount': ACCOUNT_ID,
      'kms:EncryptionContext:SecretARN': secret.arn,
    },
  }).allowed;
}

function mayEncrypt(
  account: Account,
  { arn }: Pick<DescribedRole, 'arn'>,
  secret: Secret,
  service = 'secretsmanager',
): boolean {
  const there = account.inRegion(OTHER);
  return ['kms:Encrypt', 'kms:GenerateDataKey'].every(
    (action) =>
      authorize(there, {
        principal: sessionOf(arn),
        action,
        resource: OTHER_KEY,
        resourceAccount: ACCOUNT_ID,
        resourcePolicy: there.keys.get(OTHER_KEY)!.policy,
        context: {
          'kms:ViaService': `${service}.${OTHER}.amazonaws.com`,
          'kms:CallerAccount': ACCOUNT_ID,
          'kms:EncryptionContext:SecretARN': secret.arn,
        },
      }).allowed,
  );
}

/** A role of another account, which its own policies allow everything. */
function mayForeign(place: Account, secret: Secret, isSecure = 'true'): boolean {
  const arn = `arn:aws:iam::${READER_ACCOUNT}:role/service`;
  const everything: PolicyStatement = { Effect: 'Allow', Action: '*', Resource: '*' };
  place.roles.set(arn, {
    arn,
    name: 'service',
    assumeRolePolicy: { Statement: [] },
    managedPolicyArns: [],
    inlinePolicies: [{ name: 'all', document: { Statement: everything } }],
  });
  return authorize(place, {
    principal: { ...sessionOf(arn), accountId: READER_ACCOUNT },
    action: 'secretsmanager:GetSecretValue',
    resource: secret.arn,
    resourceAccount: ACCOUNT_ID,
    resourcePolicy: secret.resourcePolicy,
    context: { 'aws:SecureTransport': isSecure },
  }).allowed;
}

function sessionOf(roleArn: string) {
  const arn = `${roleArn.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/test`;
  return { kind: 'role-session', accountId: ACCOUNT_ID, arn, roleArn, sessionName: 'test' } as const;
}

/** A role with the operator policy alone. */
function operatorOf(account: Account): string {
  const arn = `arn:aws:iam::${ACCOUNT_ID}:role/operator`;
  account.roles.set(arn, {
    arn,
    name: 'operator',
    assumeRolePolicy: { Statement: [] },
    inlinePolicies: [],
    managedPolicyArns: [...account.managedPolicies.keys()],
  });
  return arn;
}

function without({ Statement, ...rest }: PolicyDocument, resource: string): PolicyDocument {
  return {
    ...rest,
    Statement: [Statement].flat().filter((each) => ![each.Resource].flat().includes(resource)),
  };
}

describe('replicaRegions of a construct', () => {
  const latchkeyWith = (stack: Stack, replicaRegions: unknown, readerAccounts: string[] = []) =>
    latchkeyIn(stack, {
      tenants: [tenant('tenant-a', [{ interface: 'content', scope: 'api/read', readerAccounts }])],
      replicaRegions,
    });

  it('let a reader of a token read its replicas, with their key and no other secret', () => {
    const stack = learningStack();
    const latchkey = latchkeyWith(stack, [{ region: OTHER, kmsKeyArn: OTHER_KEY }, 'us-east-1']);
    const role = new iam.Role(stack, 'Reader', {
      assumedBy: new iam.ServicePrincipal('ecs-tasks.amazonaws.com'),
    });
    latchkey.token('tenant-a', 'content', 'api/read').grantReadToken(role);

    const { PolicyDocument } = new Synthesis(stack.node.root as App)
      .properties('AWS::IAM::Policy')
      .find(({ PolicyName }) => String(PolicyName).startsWith('Reader'))! as {
      PolicyDocument: PolicyDocument;
    };
    const text = JSON.stringify(PolicyDocument);
    for (const region of [OTHER, 'us-east-1'])
      expect(text).toContain(
        `:secretsmanager:${region}:${ACCOUNT_ID}:secret:latchkey/staging/global/tenant-a/token/content/api-read-??????`,
      );
    expect(text).toContain(`secretsmanager.${OTHER}.`);
    expect([PolicyDocument.Statement].flat().filter(({ Resource }) => Resource === OTHER_KEY)).toHaveLength(
      1,
    );
  });

  it('let a reader in another app read the replicas that it knows of, and decrypt with either ARN', () => {
    const stack = new Stack(temporaryApp(), 'reader', { env: { account: READER_ACCOUNT, region: OTHER } });
    const role = new iam.Role(stack, 'Reader', {
      assumedBy: new iam.ServicePrincipal('ecs-tasks.amazonaws.com'),
    });
    const key: TokenKey = {
      environment: 'staging',
      platformRegion: 'global',
      tenantId: 'tenant-a',
      interface: 'content',
      scope: 'api/read',
    };
    TokenSecret.fromKey(stack, key, {
      owner: { account: ACCOUNT_ID, region: REGION, encryptionKeyArn: OTHER_KEY.replace(OTHER, REGION) },
      replicas: [{ region: OTHER, kmsKeyArn: OTHER_KEY }],
    }).grantReadToken(role);
    const arnIn = (region: string) =>
      `:secretsmanager:${region}:${ACCOUNT_ID}:secret:latchkey/staging/global/tenant-a/token/content/api-read-??????`;

    const { PolicyDocument } = new Synthesis(stack.node.root as App).properties('AWS::IAM::Policy')[0] as {
      PolicyDocument: PolicyDocument;
    };
    const statements = [PolicyDocument.Statement].flat().map((each) => JSON.stringify(each));
    const decrypting = statements.filter((each) => each.includes(OTHER_KEY));
    expect(decrypting).toEqual([expect.stringContaining(arnIn('*'))]);
    expect(statements.find((each) => each.includes('GetSecretValue'))).toEqual(
      expect.stringMatching(/secretsmanager:eu-west-1.*secretsmanager:eu-central-1/),
    );
  });
});

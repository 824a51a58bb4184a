import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';

import { Account } from 'cdk-on-loopback/testing';
import { type TokenKey } from '../../core/tokens/published-keys';
import { TokenSecret } from '../../lib/constructs/tokens/token-secret';
import { ACCOUNT_ID, configuration, REGION, tenant } from '../support/lib/configuration';
import { type Caller, isAllowed, may, provisionSynthesis, roleOutside } from '../support/lib/provisioned';
import { synthesizeOnce, temporaryApp } from '../support/lib/synthesis';

const READER_ACCOUNT = '333344445555';
const DEPLOYMENT_KEY = { environment: 'staging', platformRegion: 'global' } as const;
const READ: TokenKey = { ...DEPLOYMENT_KEY, tenantId: 'tenant-a', interface: 'content', scope: 'api/read' };
const WRITE: TokenKey = { ...READ, scope: 'api/write' };

const owner = provisionSynthesis(
  synthesizeOnce(
    configuration({
      tenants: [
        tenant('tenant-a', [
          { interface: 'content', scope: 'api/read', readerAccounts: [READER_ACCOUNT] },
          { interface: 'content', scope: 'api/write' },
        ]),
        tenant('tenant-b', [{ interface: 'content', scope: 'api/read', readerAccounts: ['666677778888'] }]),
      ],
    }),
  ),
).account;
const secretOf = (end: string) => [...owner.secrets.values()].find(({ name }) => name.endsWith(end))!;
const parameter = (leaf: string) => owner.parameters.get(`/latchkey/staging/global/${leaf}`)!.value;
const OWNER = {
  account: ACCOUNT_ID,
  region: REGION,
  encryptionKeyArn: parameter('key-arn'),
  tokenRefreshArn: parameter('token-refresh-arn'),
};

const reads = (caller: Caller) =>
  [...owner.secrets.values()]
    .filter((secret) => may(caller, 'GetSecretValue', owner, secret))
    .map(({ name }) => name);

const startsTokenRefresh = (caller: Caller) => {
  const { arn, resourcePolicy } = owner.functions.get(OWNER.tokenRefreshArn)!;
  return isAllowed(caller, 'lambda:InvokeFunction', { arn, owner, policy: resourcePolicy });
};

describe('a token in a stack of the same account', () => {
  it('can be read with grantReadToken, which gives access to nothing else', () => {
    const caller = roleOutside(owner, (stack, role) =>
      TokenSecret.fromKey(stack, WRITE).grantReadToken(role),
    );

    expect(reads(caller)).toEqual(['latchkey/staging/global/tenant-a/token/content/api-write']);
  });

  it('can be requested with grantEnsureFresh, which does not allow reading', () => {
    const caller = roleOutside(owner, (stack, role) =>
      TokenSecret.fromKey(stack, READ).grantEnsureFresh(role),
    );

    expect(startsTokenRefresh(caller)).toBe(true);
    expect(reads(caller)).toEqual([]);
  });

  it('can be read from another AWS region, with the key of its own region', () => {
    const elsewhere = new Account(ACCOUNT_ID, 'eu-central-1');
    const caller = roleOutside(elsewhere, (stack, role) => {
      const token = TokenSecret.fromKey(stack, READ, { owner: OWNER });
      token.grantReadToken(role);
      token.grantEnsureFresh(role);
    });

    expect(reads(caller)).toEqual(['latchkey/staging/global/tenant-a/token/content/api-read']);
    expect(startsTokenRefresh(caller)).toBe(true);
  });

  it('is found with another prefix', () => {
    const stack = new Stack(temporaryApp(), 'service');

    const { secretArn } = TokenSecret.fromKey(stack, READ, { prefix: 'acme' });

    expect(secretArn).toMatch(/:secret:acme\/staging\/global\/tenant-a\/token\/content\/api-read-\?{6}$/);
  });
});

describe('a token in another account', () => {
  const readerAccount = () => new Account(READER_ACCOUNT, REGION);
  const grantRead = (key: TokenKey) => (stack: Stack, role: iam.Role) =>
    void TokenSecret.fromKey(stack, key, { owner: OWNER }).grantReadToken(role);

  it('can be read with grantReadToken if the account is in readerAccounts', () => {
    expect(reads(roleOutside(readerAccount(), grantRead(READ)))).toEqual([
      'latchkey/staging/global/tenant-a/token/content/api-read',
    ]);
  });

  it.each([
    ['another token of the tenant', WRITE],
    ['the token of a tenant that another account may read', { ...READ, tenantId: 'tenant-b' }],
  ])('cannot be read without the account in readerAccounts: %s', (_, key) => {
    expect(reads(roleOutside(readerAccount(), grantRead(key)))).toEqual([]);
  });

  it('cannot be read by a role without a grant', () => {
    const caller = roleOutside(readerAccount(), () => undefined);

    expect(reads(caller)).toEqual([]);
  });

  it('cannot be read with any other permissions of that account, because the owner decides', () => {
    const caller = roleOutside(readerAccount(), (_, role) =>
      role.addToPolicy(new iam.PolicyStatement({ actions: ['*'], resources: ['*'] })),
    );

    expect(reads(caller)).toEqual(['latchkey/staging/global/tenant-a/token/content/api-read']);
    const opened = [...owner.secrets.values()].filter(({ arn, resourcePolicy: policy }) =>
      isAllowed(caller, 'secretsmanager:GetSecretValue', { arn, owner, policy }),
    );
    expect(opened).toEqual([secretOf('tenant-a/token/content/api-read')]);
    for (const action of ['PutSecretValue', 'DescribeSecret', 'DeleteSecret', 'PutResourcePolicy'] as const) {
      expect(may(caller, action, owner, opened[0]!)).toBe(false);
    }
    const [key] = [...owner.keys.values()];
    const target = { arn: key!.arn, owner, policy: key!.policy };
    const viaService = { 'kms:ViaService': `secretsmanager.${REGION}.amazonaws.com` };
    const ofToken = { 'kms:EncryptionContext:SecretARN': opened[0]!.arn };
    expect(isAllowed(caller, 'kms:Decrypt', target, { ...viaService, ...ofToken })).toBe(true);
    for (const context of [viaService, ofToken, {}]) {
      expect(isAllowed(caller, 'kms:Decrypt', target, context)).toBe(false);
    }
    for (const action of ['kms:GenerateDataKey', 'kms:ScheduleKeyDeletion']) {
      expect(isAllowed(caller, action, target, { ...viaService, ...ofToken })).toBe(false);
    }
  });

  it('can be requested with grantEnsureFresh', () => {
    const caller = roleOutside(readerAccount(), (stack, role) =>
      TokenSecret.fromKey(stack, READ, { owner: OWNER }).grantEnsureFresh(role),
    );

    expect(startsTokenRefresh(caller)).toBe(true);
  });

  it('fails at synthesis without the ARN of token-refresh', () => {
    const stack = new Stack(temporaryApp(), 'service');
    const role = new iam.Role(stack, 'Role', { assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com') });
    const token = TokenSecret.fromKey(stack, READ, { owner: { ...OWNER, tokenRefreshArn: undefined } });

    expect(() => token.grantEnsureFresh(role)).toThrow(
      'owner.tokenRefreshArn: found nothing; allowed: the ARN of',
    );
  });
});

describe('fromKey with the same key twice', () => {
  it('returns the same token, unless owner or prefix differ', () => {
    const stack = new Stack(temporaryApp(), 'service');

    const [first, again] = [TokenSecret.fromKey(stack, READ), TokenSecret.fromKey(stack, READ)];
    const prefixed = TokenSecret.fromKey(stack, READ, { prefix: 'acme' });
    const owned = TokenSecret.fromKey(stack, READ, { owner: OWNER });

    expect(again).toBe(first);
    expect(stack.resolve(prefixed.secretArn)).not.toEqual(stack.resolve(first.secretArn));
    expect(owned.secretArn).toContain(`:${OWNER.account}:`);
  });
});

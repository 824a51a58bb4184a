import { type Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';

import { Account, type PolicyDocument, type PolicyStatement } from 'cdk-on-loopback/testing';
import { type TokenKey } from '../../core/tokens/published-keys';
import { TokenSecret } from '../../lib/constructs/tokens/token-secret';
import {
  ACCOUNT_ID,
  configuration,
  REGION,
  tenant,
  type WrittenDeployment,
} from '../support/lib/configuration';
import { type Caller, isAllowed, may, provisionSynthesis, roleOutside } from '../support/lib/provisioned';
import { synthesizeOnce } from '../support/lib/synthesis';

const [MEMBER, STRANGER, LONER] = ['333344445555', '666677778888', '999900001111'] as const;
const [OURS, THEIRS] = ['o-a1b2c3d4e5', 'o-f6a7b8c9d0'] as const;
const SHARED: TokenKey = {
  environment: 'staging',
  platformRegion: 'global',
  tenantId: 'tenant-a',
  interface: 'content',
  scope: 'api/read',
};
const EVERYTHING = { actions: ['*'], resources: ['*'] };

/** The deployment's account, which is in the organization, with one token that the organization may read. */
function provision(more: Partial<WrittenDeployment> = {}) {
  const { account } = provisionSynthesis(
    synthesizeOnce(
      configuration({
        tenants: [
          tenant('tenant-a', [
            { interface: 'content', scope: 'api/read', readerOrganizations: [OURS] },
            { interface: 'content', scope: 'api/write' },
          ]),
        ],
        restoreApi: { auth: 'iam', callerOrganizations: [OURS] },
        ...more,
      }),
    ),
  );
  account.organizations.set(ACCOUNT_ID, OURS);
  return account;
}

/** A role of an account, with some permissions. */
function roleIn(
  owner: Account,
  accountId: string,
  organization: string | undefined,
  grant: (stack: Stack, role: iam.Role) => void,
): Caller {
  const into = accountId === ACCOUNT_ID ? owner : new Account(accountId, REGION);
  if (organization !== undefined) into.organizations.set(accountId, organization);
  return roleOutside(into, grant);
}

const administrator = (_: Stack, role: iam.Role) =>
  void role.addToPolicy(new iam.PolicyStatement(EVERYTHING));
const parameter = (owner: Account, leaf: string) =>
  owner.parameters.get(`/latchkey/staging/global/${leaf}`)!.value;

/** What {@link TokenSecret} grants to a role outside of the deployment. */
const grantedBy = (owner: Account) => (stack: Stack, role: iam.Role) => {
  const token = TokenSecret.fromKey(stack, SHARED, {
    owner: {
      account: ACCOUNT_ID,
      region: REGION,
      encryptionKeyArn: parameter(owner, 'key-arn'),
      tokenRefreshArn: parameter(owner, 'token-refresh-arn'),
    },
  });
  token.grantReadToken(role);
  token.grantEnsureFresh(role);
};

const readTokens = (owner: Account, caller: Caller) =>
  [...owner.secrets.values()]
    .filter((secret) => may(caller, 'GetSecretValue', owner, secret))
    .map(({ name }) => name);
const TOKEN = 'latchkey/staging/global/tenant-a/token/content/api-read';

const functionOf = (owner: Account) => owner.functions.get(parameter(owner, 'token-refresh-arn'))!;
const renews = (owner: Account, caller: Caller) => {
  const { arn, resourcePolicy: policy } = functionOf(owner);
  return isAllowed(caller, 'lambda:InvokeFunction', { arn, owner, policy });
};

const ALL_ACCOUNTS = [
  ['of the organization', MEMBER, OURS, true],
  ['of another organization', STRANGER, THEIRS, false],
  ['without an organization', LONER, undefined, false],
] as const;

describe('readerOrganizations', () => {
  const owner = provision();

  it.each(ALL_ACCOUNTS)('who reads the token, and requests it: an account %s', (_, id, organization, may) => {
    const caller = roleIn(owner, id, organization, grantedBy(owner));

    expect(readTokens(owner, caller)).toEqual(may ? [TOKEN] : []);
    expect(renews(owner, caller)).toBe(may);
  });

  it('a role of the organization without a policy of its own may do nothing', () => {
    const caller = roleIn(owner, MEMBER, OURS, () => undefined);

    expect([readTokens(owner, caller), renews(owner, caller)]).toEqual([[], false]);
  });

  it('an administrator of the organization may read this token, and do nothing else', () => {
    const caller = roleIn(owner, MEMBER, OURS, administrator);
    const [secret] = [...owner.secrets.values()].filter(({ name }) => name === TOKEN);

    expect(readTokens(owner, caller)).toEqual([TOKEN]);
    for (const action of ['PutSecretValue', 'DescribeSecret', 'DeleteSecret', 'PutResourcePolicy'] as const)
      expect(may(caller, action, owner, secret!)).toBe(false);
    const [key] = [...owner.keys.values()];
    const target = { arn: key!.arn, owner, policy: key!.policy };
    expect(isAllowed(caller, 'kms:Decrypt', target)).toBe(false);
  });

  // There, a statement for everybody is enough without a policy of the principal.
  it('a role of the deployment’s own account, which is in the organization, still needs a policy', () => {
    const nobody = roleIn(owner, ACCOUNT_ID, OURS, () => undefined);
    const [secret] = [...owner.secrets.values()].filter(({ name }) => name === TOKEN);
    const [key] = [...owner.keys.values()];
    const context = {
      'kms:ViaService': `secretsmanager.${REGION}.amazonaws.com`,
      'kms:EncryptionContext:SecretARN': secret!.arn,
    };

    expect(readTokens(owner, nobody)).toEqual([]);
    expect(
      isAllowed(nobody, 'secretsmanager:GetSecretValue', {
        arn: secret!.arn,
        owner,
        policy: secret!.resourcePolicy,
      }),
    ).toBe(false);
    expect(isAllowed(nobody, 'kms:Decrypt', { arn: key!.arn, owner, policy: key!.policy }, context)).toBe(
      false,
    );
  });

  // Lambda takes no other condition beside the organization.
  it('such a role may request a token, without getting it', () => {
    expect(
      renews(
        owner,
        roleIn(owner, ACCOUNT_ID, OURS, () => undefined),
      ),
    ).toBe(true);
  });

  it('is nothing for the other tokens and credentials', () => {
    const shared = [...owner.secrets.values()].filter(({ resourcePolicy }) =>
      JSON.stringify(resourcePolicy).includes(OURS),
    );

    expect(shared.map(({ name }) => name)).toEqual([TOKEN]);
  });

  it.each<[string, (owner: Account) => PolicyDocument]>([
    [
      'secret',
      (account) => [...account.secrets.values()].find(({ name }) => name === TOKEN)!.resourcePolicy!,
    ],
    ['key', (account) => [...account.keys.values()][0]!.policy],
  ])('without the statement about it in the policy of the %s, nobody else reads', (_, policyOf) => {
    const account = provision();
    const caller = roleIn(account, MEMBER, OURS, grantedBy(account));
    expect(readTokens(account, caller)).toEqual([TOKEN]);

    withoutOrganization(policyOf(account));

    expect(readTokens(account, caller)).toEqual([]);
  });

  it('without the permission of token-refresh, nobody else requests a token', () => {
    const account = provision();
    const caller = roleIn(account, MEMBER, OURS, grantedBy(account));

    withoutOrganization(functionOf(account).resourcePolicy);

    expect([renews(account, caller), readTokens(account, caller)]).toEqual([false, [TOKEN]]);
  });
});

/** Removes the one statement that allows an organization something. */
function withoutOrganization(policy: PolicyDocument): void {
  const statements = [policy.Statement].flat();
  const others = statements.filter(
    ({ Effect, Condition }: PolicyStatement) =>
      Effect !== 'Allow' || Condition?.StringEquals?.['aws:PrincipalOrgID'] === undefined,
  );
  expect(others).toHaveLength(statements.length - 1);
  policy.Statement = others;
}

describe('readerOrganizations with secretReaders', () => {
  const BREAK_GLASS = `arn:aws:iam::${ACCOUNT_ID}:role/break-glass`;
  const token = (readers: object) =>
    provision({
      secretReaders: { breakGlassRoleArn: BREAK_GLASS, tokens: [] },
      tenants: [tenant('tenant-a', [{ interface: 'content', scope: 'api/read', ...readers }])],
    });
  const owner = token({ readerOrganizations: [OURS] });
  const both = token({ readerOrganizations: [OURS], readerAccounts: [STRANGER] });

  it.each(ALL_ACCOUNTS)(
    'who reads the token: an administrator of an account %s',
    (_, id, organization, may) => {
      expect(readTokens(owner, roleIn(owner, id, organization, administrator))).toEqual(may ? [TOKEN] : []);
    },
  );

  it('an administrator of the deployment’s own account is denied, although it is in the organization', () => {
    expect(readTokens(owner, roleIn(owner, ACCOUNT_ID, OURS, administrator))).not.toContain(TOKEN);
    expect(readTokens(both, roleIn(both, ACCOUNT_ID, OURS, administrator))).not.toContain(TOKEN);
  });

  it('our functions and the role for emergencies keep reading', () => {
    const inlinePolicies = [
      {
        name: 'all',
        document: { Statement: { Effect: 'Allow' as const, Action: '*', Resource: '*' } },
      },
    ];
    owner.roles.set(BREAK_GLASS, {
      arn: BREAK_GLASS,
      name: 'break-glass',
      inlinePolicies,
      managedPolicyArns: [],
      assumeRolePolicy: { Statement: [] },
    });
    const sweep = [...owner.functions.values()].find(({ name }) => name.includes('TokenSweep'))!;

    for (const roleArn of [BREAK_GLASS, sweep.roleArn])
      expect(readTokens(owner, { account: owner, roleArn })).toContain(TOKEN);
  });

  it.each([
    [MEMBER, OURS, true],
    [STRANGER, THEIRS, true],
    [LONER, undefined, false],
  ] as const)('beside readerAccounts, either is enough: %s of %s', (id, organization, may) => {
    expect(readTokens(both, roleIn(both, id, organization, administrator))).toEqual(may ? [TOKEN] : []);
  });

  it('an account of a list reads without any organization', () => {
    expect(readTokens(both, roleIn(both, STRANGER, undefined, administrator))).toEqual([TOKEN]);
  });
});

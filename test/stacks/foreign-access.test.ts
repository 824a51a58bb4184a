import { Stack } from 'aws-cdk-lib';

import { Account } from 'cdk-on-loopback/testing';
import { type TokenKey } from '../../core/tokens/published-keys';
import { TokenSecret, type ForeignTokenOptions } from '../../lib/constructs/tokens/token-secret';
import { ACCOUNT_ID, REGION, tenant, TOKEN_KEY } from '../support/lib/configuration';
import {
  addRole,
  type Caller,
  isAllowed,
  may,
  provisionSynthesis,
  roleOutside,
} from '../support/lib/provisioned';
import { synthesisWith, temporaryApp } from '../support/lib/synthesis';

const [LISTED, MEMBER, STRANGER] = ['333344445555', '666677778888', '999900001111'] as const;
const [OURS, THEIRS] = ['o-a1b2c3d4e5', 'o-f6a7b8c9d0'] as const;
const BREAK_GLASS = `arn:aws:iam::${ACCOUNT_ID}:role/break-glass`;
const OF_ORGANIZATION: TokenKey = { ...TOKEN_KEY, scope: 'api/all' };
const nameOf = ({ scope }: TokenKey) =>
  `latchkey/staging/global/tenant-a/token/content/${scope.replace('/', '-')}`;

/** The deployment's account, which is in the organization, with tokens that these others may read. */
function provision(readers: Record<string, object>, secretReaders?: { breakGlassRoleArn: string }): Account {
  const tokens = Object.entries(readers).map(([scope, more]) => ({ interface: 'content', scope, ...more }));
  const { account } = provisionSynthesis(
    synthesisWith({ secretReaders, tenants: [tenant('tenant-a', tokens as never)] }),
  );
  account.organizations.set(ACCOUNT_ID, OURS);
  return account;
}
const owner = provision({
  'api/read': { readerAccounts: [LISTED] },
  'api/all': { readerOrganizations: [OURS] },
  'api/write': {},
});
const parameter = (leaf: string) => owner.parameters.get(`/latchkey/staging/global/${leaf}`)!.value;
const OWNER = {
  account: ACCOUNT_ID,
  region: REGION,
  encryptionKeyArn: parameter('key-arn'),
  tokenRefreshArn: parameter('token-refresh-arn'),
};

/** An account, in an organization or none. */
function accountOf(accountId: string, organization?: string, of = owner): Account {
  const account = accountId === ACCOUNT_ID ? of : new Account(accountId, REGION);
  if (organization !== undefined) account.organizations.set(accountId, organization);
  return account;
}
const roleIn = (account: Account, Statement?: []) =>
  addRole(account, `arn:aws:iam::${account.accountId}:role/service`, Statement);
/** A role with what {@link TokenSecret} grants. */
const grantee = (account: Account, key: TokenKey, options: ForeignTokenOptions = { owner: OWNER }) =>
  roleOutside(account, (stack, role) => {
    const token = TokenSecret.fromKey(stack, key, options);
    token.grantReadToken(role);
    token.grantEnsureFresh(role);
  });

const reads = (caller: Caller, of = owner) =>
  [...of.secrets.values()]
    .filter((secret) => may(caller, 'GetSecretValue', of, secret))
    .map(({ name }) => name);
const startsTokenRefresh = (caller: Caller) => {
  const { arn, resourcePolicy: policy } = owner.functions.get(OWNER.tokenRefreshArn)!;
  return isAllowed(caller, 'lambda:InvokeFunction', { arn, owner, policy });
};

describe('a token is read, and requested, by', () => {
  const listed = () => accountOf(LISTED);
  const member = () => accountOf(MEMBER, OURS);

  it.each<[string, () => Caller, TokenKey[], boolean]>([
    ['who has a grant, in readerAccounts', () => grantee(listed(), TOKEN_KEY), [TOKEN_KEY], true],
    ['no role without a policy, in readerAccounts', () => roleIn(listed(), []), [], false],
    ['an administrator, in readerAccounts', () => roleIn(listed()), [TOKEN_KEY], true],
    [
      'who has a grant, in an organization',
      () => grantee(member(), OF_ORGANIZATION),
      [OF_ORGANIZATION],
      true,
    ],
    ['no role without a policy, in an organization', () => roleIn(member(), []), [], false],
    ['an administrator, in an organization', () => roleIn(member()), [OF_ORGANIZATION], true],
    ['no administrator, in another organization', () => roleIn(accountOf(STRANGER, THEIRS)), [], false],
    ['no administrator, in none', () => roleIn(accountOf(STRANGER)), [], false],
    [
      'who has a grant, in another AWS region of the account',
      () => grantee(new Account(ACCOUNT_ID, 'eu-central-1'), TOKEN_KEY),
      [TOKEN_KEY],
      true,
    ],
    // In the own account, a statement for everybody is enough without a policy of the role, and Lambda takes no other
    // condition beside the organization: such a role requests a token, without getting it.
    ['no role without a policy, in the own account', () => roleIn(owner, []), [], true],
  ])('%s', (_, make, keys, isRequested) => {
    const caller = make();

    expect(reads(caller)).toEqual(keys.map(nameOf));
    expect(startsTokenRefresh(caller)).toBe(isRequested);
  });

  it.each([
    ['in readerAccounts', TOKEN_KEY, () => roleIn(accountOf(LISTED))],
    ['in an organization', OF_ORGANIZATION, () => roleIn(accountOf(MEMBER, OURS))],
  ])('an administrator, who does nothing else, %s', (_, token, make) => {
    const caller = make();
    const secrets = [...owner.secrets.values()];
    const [{ arn, policy }] = [...owner.keys.values()] as [{ arn: string; policy: never }];
    const viaService = { 'kms:ViaService': `secretsmanager.${REGION}.amazonaws.com` };
    const ofToken = {
      'kms:EncryptionContext:SecretARN': secrets.find(({ name }) => name === nameOf(token))!.arn,
    };
    const mayUseKey = (action: string, context: object) =>
      isAllowed(caller, action, { arn, owner, policy }, { ...context });

    for (const action of ['PutSecretValue', 'DescribeSecret', 'DeleteSecret', 'PutResourcePolicy'] as const)
      expect(secrets.filter((secret) => may(caller, action, owner, secret))).toEqual([]);
    expect(mayUseKey('kms:Decrypt', { ...viaService, ...ofToken })).toBe(true);
    for (const context of [viaService, ofToken, {}]) expect(mayUseKey('kms:Decrypt', context)).toBe(false);
    for (const action of ['kms:GenerateDataKey', 'kms:ScheduleKeyDeletion'])
      expect(mayUseKey(action, { ...viaService, ...ofToken })).toBe(false);
  });
});

describe('a token by its key', () => {
  it('can be requested with grantEnsureFresh, which does not allow reading', () => {
    const caller = roleOutside(owner, (stack, role) =>
      TokenSecret.fromKey(stack, TOKEN_KEY).grantEnsureFresh(role),
    );

    expect(startsTokenRefresh(caller)).toBe(true);
    expect(reads(caller)).toEqual([]);
  });

  it('in another account fails at synthesis without the ARN of token-refresh', () => {
    const account = new Account(LISTED, REGION);

    expect(() => grantee(account, TOKEN_KEY, { owner: { ...OWNER, tokenRefreshArn: undefined } })).toThrow(
      'owner.tokenRefreshArn: found nothing; allowed: the ARN of',
    );
  });

  it('is the same token twice, unless owner or prefix differ', () => {
    const stack = new Stack(temporaryApp(), 'service');
    const of = (options?: ForeignTokenOptions) => TokenSecret.fromKey(stack, TOKEN_KEY, options);

    expect(of()).toBe(of());
    expect(of({ prefix: 'acme' }).secretArn).toMatch(
      /:secret:acme\/staging\/global\/tenant-a\/token\/content\/api-read-\?{6}$/,
    );
    expect(of({ owner: OWNER }).secretArn).toContain(`:${OWNER.account}:`);
  });
});

describe('with secretReaders', () => {
  const secretReaders = { breakGlassRoleArn: BREAK_GLASS, tokens: [] };
  const [ofMembers, ofBoth] = [{}, { readerAccounts: [LISTED] }].map((more) =>
    provision({ 'api/read': { readerOrganizations: [OURS], ...more } }, secretReaders),
  ) as [Account, Account];

  it.each([
    [MEMBER, OURS, { isMember: true, isEither: true }],
    [LISTED, THEIRS, { isMember: false, isEither: true }],
    [LISTED, undefined, { isMember: false, isEither: true }],
    [STRANGER, undefined, { isMember: false, isEither: false }],
    // An administrator of the deployment's own account, although it is in the organization.
    [ACCOUNT_ID, OURS, { isMember: false, isEither: false }],
  ])('the organization reads, or a listed account: %s of %s', (id, organization, expected) => {
    const isReadBy = (of: Account) =>
      reads(roleIn(accountOf(id, organization, of)), of).includes(nameOf(TOKEN_KEY));

    expect({ isMember: isReadBy(ofMembers), isEither: isReadBy(ofBoth) }).toEqual(expected);
  });

  it('our functions and the role for emergencies keep reading', () => {
    const sweep = [...ofMembers.functions.values()].find(({ name }) => name.includes('TokenSweep'))!;

    for (const { roleArn } of [addRole(ofMembers, BREAK_GLASS), sweep])
      expect(reads({ account: ofMembers, roleArn }, ofMembers)).toContain(nameOf(TOKEN_KEY));
  });
});

import { Account, type PolicyDocument, type Role } from '../../src/account';
import { authorize, type AuthorizationRequest } from '../../src/iam/authorize';
import { type Principal } from '../../src/iam/principal';

const ACCOUNT = '111111111111';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/reader`;
const GROUP = `arn:aws:logs:eu-west-1:${ACCOUNT}:log-group:/x:log-stream:y`;
const MINE = `arn:aws:iam::${ACCOUNT}:policy/mine`;
const BASIC_EXECUTION = 'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';

const session: Principal = {
  kind: 'role-session',
  accountId: ACCOUNT,
  arn: `arn:aws:sts::${ACCOUNT}:assumed-role/reader/one`,
  roleArn: ROLE,
  sessionName: 'one',
};
const putLogs: AuthorizationRequest = {
  principal: session,
  action: 'logs:PutLogEvents',
  resource: GROUP,
  resourceAccount: ACCOUNT,
};
const allow = (part: object = {}): PolicyDocument => ({
  Version: '2012-10-17',
  Statement: { Effect: 'Allow', Action: '*', Resource: '*', ...part },
});

function accountWith(role: Partial<Role>): Account {
  const account = new Account(ACCOUNT, 'eu-west-1');
  account.roles.set(ROLE, {
    arn: ROLE,
    name: 'reader',
    assumeRolePolicy: allow(),
    inlinePolicies: [],
    managedPolicyArns: [],
    ...role,
  });
  return account;
}

it('uses the role’s policies at the time of the request', () => {
  const account = accountWith({});
  expect(authorize(account, putLogs).allowed).toBe(false);

  account.roles.get(ROLE)?.inlinePolicies.push({ name: 'late', document: allow() });

  expect(authorize(account, putLogs)).toEqual({ allowed: true, statements: ['late/0'] });
});

it('denies a session of a deleted role', () => {
  expect(authorize(new Account(ACCOUNT, 'eu-west-1'), putLogs).allowed).toBe(false);
});

it('evaluates managed policies of the account', () => {
  const account = accountWith({ managedPolicyArns: [MINE] });
  account.managedPolicies.set(MINE, { arn: MINE, document: allow() });

  expect(authorize(account, putLogs).allowed).toBe(true);
});

it('supports the AWS managed policy for function logs', () => {
  const account = accountWith({ managedPolicyArns: [BASIC_EXECUTION] });

  expect(authorize(account, putLogs).allowed).toBe(true);
  expect(authorize(account, { ...putLogs, action: 'sqs:SendMessage' }).allowed).toBe(false);
});

it.each<[string, Partial<Role>]>([
  ['managed policy', { managedPolicyArns: ['arn:aws:iam::aws:policy/Unknown'] }],
  ['boundary', { permissionsBoundaryArn: 'arn:aws:iam::aws:policy/Unknown' }],
])('denies everything to a role whose %s is not in the account', (_, role) => {
  const account = accountWith({ inlinePolicies: [{ name: 'all', document: allow() }], ...role });

  expect(authorize(account, putLogs)).toMatchObject({
    allowed: false,
    message: expect.stringContaining('has no managed policy arn:aws:iam::aws:policy/Unknown') as string,
  });
});

it('applies the role’s permissions boundary', () => {
  const inlinePolicies = [{ name: 'all', document: allow() }];
  const account = accountWith({ inlinePolicies, permissionsBoundaryArn: MINE });
  account.managedPolicies.set(MINE, { arn: MINE, document: allow({ Action: 'sqs:*' }) });

  expect(authorize(account, putLogs).allowed).toBe(false);
  expect(authorize(account, { ...putLogs, action: 'sqs:SendMessage' }).allowed).toBe(true);
});

it('provides aws:SecureTransport and the region to policies', () => {
  const Condition = {
    Bool: { 'aws:SecureTransport': 'true' },
    StringEquals: { 'aws:RequestedRegion': 'eu-west-1' },
  };
  const account = accountWith({ inlinePolicies: [{ name: 'all', document: allow({ Condition }) }] });

  expect(authorize(account, putLogs).allowed).toBe(true);
});

it('allows the administrator, unless a resource denies', () => {
  const account = new Account(ACCOUNT, 'eu-west-1');
  const principal: Principal = {
    kind: 'administrator',
    accountId: ACCOUNT,
    arn: `arn:aws:iam::${ACCOUNT}:user/administrator`,
  };

  const request = { ...putLogs, principal };
  const resourcePolicy = allow({ Effect: 'Deny', Principal: '*' });
  expect(authorize(account, request).allowed).toBe(true);
  expect(authorize(account, { ...request, resourcePolicy }).allowed).toBe(false);
});

import { Account } from 'cdk-on-loopback/testing';
import {
  ACCOUNT_ID,
  configuration,
  REGION,
  tenant,
  type WrittenDeployment,
} from '../support/lib/configuration';
import {
  isAllowed,
  may,
  type ProvisionedAccount,
  provisionSynthesis,
  type SecretAction,
} from '../support/lib/provisioned';
import { synthesizeOnce } from '../support/lib/synthesis';

const READER_ACCOUNT = '333344445555';
const iam = (resource: string) => `arn:aws:iam::${ACCOUNT_ID}:${resource}`;
const BREAK_GLASS = iam('role/break-glass');
const OPERATOR = iam('role/sso/eu-west-1/Operators_0f0f');
const SERVICE = iam('role/service');
const STRANGER = iam('role/administrators');
/** As `cdk bootstrap` creates it. */
const CLOUDFORMATION = iam(`role/cdk-hnb659fds-cfn-exec-role-${ACCOUNT_ID}-${REGION}`);
const SECRET_READERS = {
  breakGlassRoleArn: BREAK_GLASS,
  credentials: [iam('role/sso/*/Operators_*')],
  tokens: [SERVICE],
};
const FUNCTIONS = [
  'token-refresh',
  'token-sweep',
  'rotate-credentials',
  'credential-watch',
  'restore',
  'authorizer',
];

function provision(deployment: Partial<WrittenDeployment>): ProvisionedAccount {
  const readerAccounts = [READER_ACCOUNT];
  const tenants = [
    tenant('tenant-a', [
      { interface: 'content', scope: 'api/write' },
      { interface: 'content', scope: 'api/read', readerAccounts },
    ]),
  ];
  const provisioned = provisionSynthesis(synthesizeOnce(configuration({ tenants, ...deployment })));
  for (const arn of [BREAK_GLASS, OPERATOR, SERVICE, STRANGER, CLOUDFORMATION])
    addAdministrator(provisioned.account, arn);
  return provisioned;
}

/** A role that may do everything, as far as its own policies go. */
function addAdministrator(account: Account, arn: string): void {
  const everything = { Effect: 'Allow', Action: '*', Resource: '*' } as const;
  account.roles.set(arn, {
    arn,
    name: arn.split('/').at(-1)!,
    assumeRolePolicy: { Version: '2012-10-17', Statement: [] },
    inlinePolicies: [{ name: 'all', document: { Version: '2012-10-17', Statement: [everything] } }],
    managedPolicyArns: [],
  });
}

/** Who of them may do it, by the names of the secrets. */
function readersOf(
  { account, roles }: ProvisionedAccount,
  name: string,
  action: SecretAction = 'GetSecretValue',
): string[] {
  const secret = [...account.secrets.values()].find((each) => each.name.endsWith(`/${name}`))!;
  const functions = FUNCTIONS.flatMap((fn) => {
    const arn = roles.find(({ description }) => description.startsWith(`Role of ${fn} of `))?.arn;
    return arn === undefined ? [] : [[fn, arn] as const];
  });
  const people = Object.entries({ BREAK_GLASS, OPERATOR, SERVICE, CLOUDFORMATION, STRANGER });
  return [...functions, ...people]
    .filter(([, roleArn]) => may({ account, roleArn }, action, account, secret))
    .map(([who]) => who);
}

describe('with secretReaders', () => {
  const provisioned = provision({ secretReaders: SECRET_READERS });

  it.each([
    [
      'client-credentials',
      ['token-refresh', 'token-sweep', 'rotate-credentials', 'BREAK_GLASS', 'OPERATOR', 'CLOUDFORMATION'],
    ],
    [
      'api-key',
      ['rotate-credentials', 'credential-watch', 'authorizer', 'BREAK_GLASS', 'OPERATOR', 'CLOUDFORMATION'],
    ],
    [
      'token/content/api-write',
      [
        'token-refresh',
        'token-sweep',
        'credential-watch',
        'restore',
        'authorizer',
        'BREAK_GLASS',
        'SERVICE',
        'CLOUDFORMATION',
      ],
    ],
  ])('%s is read by our functions and the named principals only', (name, readers) => {
    expect(readersOf(provisioned, name)).toEqual(readers);
  });

  it.each<SecretAction>(['PutResourcePolicy', 'DeleteSecret', 'DescribeSecret'])(
    'everybody with the right may still %s, so nobody locks himself out',
    (action) => {
      expect(readersOf(provisioned, 'client-credentials', action)).toEqual(
        expect.arrayContaining(['BREAK_GLASS', 'OPERATOR', 'SERVICE', 'STRANGER']),
      );
    },
  );

  it.each([
    ['token/content/api-read', true],
    ['token/content/api-write', false],
    ['client-credentials', false],
  ])('an account in readerAccounts reads its tokens alone: %s', (name, isReadable) => {
    const { account } = provisioned;
    const other = new Account(READER_ACCOUNT, REGION);
    const roleArn = `arn:aws:iam::${READER_ACCOUNT}:role/service`;
    addAdministrator(other, roleArn);
    const secret = [...account.secrets.values()].find((each) => each.name.endsWith(name))!;

    expect(may({ account: other, roleArn }, 'GetSecretValue', account, secret)).toBe(isReadable);
  });

  it('a copy of the secret in another AWS region, which has its policy, is denied as well', () => {
    const { account } = provisioned;
    const secret = [...account.secrets.values()].find((each) => each.name.endsWith('/client-credentials'))!;
    const arn = secret.arn.replace(REGION, 'eu-central-1');
    const copy = { arn, owner: account, policy: secret.resourcePolicy };
    const reads = (roleArn: string) => isAllowed({ account, roleArn }, 'secretsmanager:GetSecretValue', copy);

    expect([reads(BREAK_GLASS), reads(STRANGER)]).toEqual([true, false]);
  });

  it('without tokens, IAM alone decides who reads them', () => {
    const some = provision({ secretReaders: { ...SECRET_READERS, tokens: undefined } });

    expect(readersOf(some, 'token/content/api-write')).toContain('STRANGER');
    expect(readersOf(some, 'client-credentials')).not.toContain('STRANGER');
  });

  it('without a restore API, the list has no role of it', () => {
    const without = provision({ secretReaders: SECRET_READERS, restoreApi: { enabled: false } });

    expect(readersOf(without, 'api-key')).toEqual([
      'rotate-credentials',
      'credential-watch',
      'BREAK_GLASS',
      'OPERATOR',
      'CLOUDFORMATION',
    ]);
  });
});

it('without secretReaders, a broad policy is enough to read client credentials', () => {
  expect(readersOf(provision({}), 'client-credentials')).toContain('STRANGER');
});

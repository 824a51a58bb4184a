import { Account } from 'cdk-on-loopback/testing';
import { ACCOUNT_ID, REGION, tenant, type WrittenDeployment } from '../support/lib/configuration';
import {
  addRole,
  isAllowed,
  may,
  type ProvisionedAccount,
  provisionSynthesis,
  type SecretAction,
} from '../support/lib/provisioned';
import { synthesisWith } from '../support/lib/synthesis';

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
function provision(deployment: Partial<WrittenDeployment>): ProvisionedAccount {
  const readerAccounts = [READER_ACCOUNT];
  const tenants = [
    tenant('tenant-a', [
      { interface: 'content', scope: 'api/write' },
      { interface: 'content', scope: 'api/read', readerAccounts },
    ]),
  ];
  const provisioned = provisionSynthesis(synthesisWith({ tenants, ...deployment }));
  for (const arn of [BREAK_GLASS, OPERATOR, SERVICE, STRANGER, CLOUDFORMATION])
    addRole(provisioned.account, arn);
  return provisioned;
}

const secretIn = ({ account }: ProvisionedAccount, name: string) =>
  [...account.secrets.values()].find((each) => each.name.endsWith(`/${name}`))!;

/** Who of them may do something with a secret. */
function readersOf(
  provisioned: ProvisionedAccount,
  name: string,
  action: SecretAction = 'GetSecretValue',
): string[] {
  const { account, roles } = provisioned;
  const functions = roles.map(({ arn, description }) => [
    /^Role of ([a-z-]+) of /.exec(description)?.[1],
    arn,
  ]);
  const people = Object.entries({ BREAK_GLASS, OPERATOR, SERVICE, CLOUDFORMATION, STRANGER });
  return [...functions, ...people]
    .filter(([, roleArn]) =>
      may({ account, roleArn: roleArn! }, action, account, secretIn(provisioned, name)),
    )
    .map(([who]) => who!);
}

describe('with secretReaders', () => {
  const provisioned = provision({ secretReaders: SECRET_READERS });
  const PEOPLE = ['BREAK_GLASS', 'OPERATOR', 'CLOUDFORMATION'];

  it.each([
    ['client-credentials', ['token-refresh', 'token-sweep', 'rotate-credentials', ...PEOPLE]],
    ['api-key', ['rotate-credentials', 'authorizer', 'credential-watch', ...PEOPLE]],
    [
      'token/content/api-write',
      [
        ...['token-refresh', 'token-sweep', 'restore', 'authorizer', 'credential-watch'],
        ...['BREAK_GLASS', 'SERVICE', 'CLOUDFORMATION'],
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

  it('an account in readerAccounts reads its tokens alone', () => {
    const { account } = provisioned;
    const foreign = addRole(new Account(READER_ACCOUNT, REGION), SERVICE.replace(ACCOUNT_ID, READER_ACCOUNT));
    const readable = [...account.secrets.values()].filter((secret) =>
      may(foreign, 'GetSecretValue', account, secret),
    );

    expect(readable).toEqual([secretIn(provisioned, 'token/content/api-read')]);
  });

  it('a copy of the secret in another AWS region, which has its policy, is denied as well', () => {
    const { account } = provisioned;
    const secret = secretIn(provisioned, 'client-credentials');
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

    expect(readersOf(without, 'api-key')).toEqual(['rotate-credentials', 'credential-watch', ...PEOPLE]);
  });
});

it('without secretReaders, a broad policy is enough to read client credentials', () => {
  expect(readersOf(provision({}), 'client-credentials')).toContain('STRANGER');
});

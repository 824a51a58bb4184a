import { type PolicyDocument } from 'cdk-on-loopback/testing';
import { SCHEDULED_FUNCTIONS, scheduleName } from '../../core/deployment/schedules';
import { tokenSecretName } from '../../core/secrets/secret-names';
import { type DeploymentKey } from '../../core/tokens/token-key';
import { expectRed } from '../support/holes/expect-red';
import {
  addSecret,
  type DescribedRole,
  isAllowed,
  may,
  mayUseKey,
  provisionSynthesis,
  SECRET_ACTIONS,
  type SecretAction,
} from '../support/lib/provisioned';
import { REGION } from '../support/lib/configuration';
import { DEPLOYMENT_KEYS, KEYS, synthesizeWithReaders } from '../support/lib/readers';

const { account, roles } = provisionSynthesis(synthesizeWithReaders());
const ours = [...account.secrets.values()];
const secrets = [
  ...ours,
  ...[
    'latchkey/staging/global/tenant/other',
    'latchkey/staging/global-copy/tenant/client-credentials',
    'latchkey-two/staging/global/tenant/token/content/api-read',
    'team/database',
  ].map((name) => addSecret(account, name, [...account.keys.keys()][0])),
];

const LOOK: SecretAction[] = ['GetSecretValue', 'DescribeSecret'];
const RENEW: SecretAction[] = [...LOOK, 'PutSecretValue'];
const STATE: SecretAction[] = ['DescribeSecret', 'ListSecretVersionIds'];
const CREDENTIALS = ['client-credentials', 'api-key'];
const TOKENS = ['token/content/*', 'token/webhooks/*'];

/**
 * All permissions on the secrets of a deployment, by role: actions, and names of secrets below the tenant's path. A role that
 * is missing here is an error.
 */
const DECLARED: Record<string, [actions: SecretAction[], secrets: string[]][]> = {
  'Role of token-refresh': [
    [LOOK, ['client-credentials']],
    [RENEW, TOKENS],
  ],
  'Role of token-sweep': [
    [LOOK, ['client-credentials']],
    [STATE, CREDENTIALS],
    [RENEW, TOKENS],
  ],
  'Role of authorizer': [
    [LOOK, ['api-key']],
    [['GetSecretValue'], ['token/content/*']],
  ],
  'Role of restore': [[['GetSecretValue'], ['token/content/api-write']]],
  'Role of rotate-credentials': [
    [[...RENEW, 'UpdateSecretVersionStage'], CREDENTIALS],
    [['TagResource'], ['api-key']],
  ],
  'Role of credential-watch': [
    [STATE, CREDENTIALS],
    [['GetSecretValue'], ['api-key', ...TOKENS]],
  ],
  operator: [
    [[...STATE, 'PutSecretValue', 'UpdateSecretVersionStage', 'RotateSecret', 'RestoreSecret'], CREDENTIALS],
    [['GetSecretValue', 'RestoreSecret'], TOKENS],
  ],
  'Role of the schedule that starts token-sweep': [],
  'Role of the schedule that starts credential-watch': [],
  'Role of the schedule that starts rotate-credentials': [],
  'Lets API Gateway write logs': [],
};

/** Who learns that a secret does not exist. */
const LEARNS: Record<string, string[]> = {
  'Role of token-refresh': ['client-credentials', 'token/*'],
  'Role of token-sweep': ['client-credentials', 'api-key', 'token/*'],
  'Role of rotate-credentials': ['api-key'],
};

const nameOf = ({ environment, platformRegion }: DeploymentKey) => `${environment} ${platformRegion}`;
const kindOf = (description: string) =>
  /^(.+?)(?: of (staging|production) (global|mea))?$/.exec(description)![1]!;

/** Whether a secret is one of these, of the deployment of the role. */
function isOf({ description }: DescribedRole, name: string, below: readonly string[]): boolean {
  const own = DEPLOYMENT_KEYS.find((known) => description === `${kindOf(description)} of ${nameOf(known)}`);
  return (own?.tenantIds ?? []).some((tenantId) =>
    below.some((secret) => {
      const path = `latchkey/${own!.environment}/${own!.platformRegion}/${tenantId}/${secret}`;
      return path.endsWith('*') ? name.startsWith(path.slice(0, -1)) : name === path;
    }),
  );
}

/** Whether {@link DECLARED} gives a role this permission, limited to secrets of its own deployment. */
function isDeclared(role: DescribedRole, action: SecretAction, name: string): boolean {
  const { description } = role;
  if (description.startsWith('reader of '))
    return action === 'GetSecretValue' && description === `reader of ${name}`;
  const rights = DECLARED[kindOf(description)];
  if (rights === undefined) throw new Error(`${description}: state in DECLARED what this role may do`);
  return rights.some(([actions, below]) => actions.includes(action) && isOf(role, name, below));
}

/** All pairs of a role and a resource that pass `test`, a line each. */
function pairs<Resource extends { name: string }>(
  resources: readonly Resource[],
  test: (role: DescribedRole, resource: Resource) => boolean,
): string[] {
  return roles
    .flatMap((role) =>
      resources.filter((resource) => test(role, resource)).map(({ name }) => `${role.description} → ${name}`),
    )
    .sort();
}

/** Who may do something with which of these resources, by the policies of both. */
const allowed = (
  action: string,
  resources: { name: string; arn: string; policy?: PolicyDocument }[],
  context?: Record<string, string>,
) =>
  pairs(resources, ({ arn: roleArn }, { arn, policy }) =>
    isAllowed({ account, roleArn }, action, { arn, owner: account, policy }, context),
  );

/** The two operators of each deployment, with what they may do. */
const operators = (of: (deploymentKey: DeploymentKey) => string[]) =>
  DEPLOYMENT_KEYS.flatMap((deploymentKey) =>
    of(deploymentKey).flatMap((name) =>
      Array<string>(2).fill(`operator of ${nameOf(deploymentKey)} → ${name}`),
    ),
  );

function expectOnSecrets(action: SecretAction) {
  expect(
    pairs(secrets, (role, secret) => may({ account, roleArn: role.arn }, action, account, secret)),
  ).toEqual(pairs(secrets, (role, { name }) => isDeclared(role, action, name)));
}

describe('permissions on secrets', () => {
  it.each(SECRET_ACTIONS)('%s: exactly as declared, within one deployment', expectOnSecrets);

  // AWS denies a name that does not exist, unless the caller has the permission on every resource.
  it('tell those who look for them, and nobody else, which of their secrets do not exist', () => {
    const told = (action: SecretAction) =>
      pairs(secrets, ({ arn: roleArn }, { name }) =>
        isAllowed(
          { account, roleArn },
          `secretsmanager:${action}`,
          { arn: name, owner: account },
          { 'secretsmanager:SecretId': name },
        ),
      );
    const tenants = DEPLOYMENT_KEYS.flatMap(({ tenantIds }) => tenantIds);

    expect(told('DescribeSecret')).toHaveLength(2 * (KEYS.length + 2 * tenants.length));
    expect(told('DescribeSecret')).toEqual(
      pairs(secrets, (role, { name }) => isOf(role, name, LEARNS[kindOf(role.description)] ?? [])),
    );
    expect(SECRET_ACTIONS.filter((action) => told(action).length > 0)).toEqual(['DescribeSecret']);
  });

  it('on the key allow decrypting only secrets that the role may read or write', () => {
    const decrypts = pairs(secrets, ({ arn: roleArn }, secret) =>
      mayUseKey({ account, roleArn }, 'kms:Decrypt', account, secret),
    );

    expect(decrypts).toEqual(
      pairs(secrets, (role, { name }) =>
        (['GetSecretValue', 'PutSecretValue'] as const).some((action) => isDeclared(role, action, name)),
      ),
    );
  });

  it.each(['kms:Decrypt', 'kms:GenerateDataKey'])(
    'on the key apply only through Secrets Manager: %s',
    (action) => {
      const keys = [...account.keys.values()].map((key) => ({ ...key, name: key.arn }));

      for (const { arn } of ours)
        expect(allowed(action, keys, { 'kms:EncryptionContext:SecretARN': arn })).toEqual([]);
    },
  );
});

function expectInvocations() {
  const functions = [...account.functions.values()].map(({ arn, roleArn, resourcePolicy: policy }) => ({
    arn,
    policy,
    name: roles.find((role) => role.arn === roleArn)!.description.slice('Role of '.length),
  }));
  const mayInvoke = (caller: string, names: string[]) => (deploymentKey: DeploymentKey) =>
    names.map(
      (name) => `${caller.replace('*', nameOf(deploymentKey))} → ${name} of ${nameOf(deploymentKey)}`,
    );

  expect(allowed('lambda:InvokeFunction', functions)).toEqual(
    [
      ...operators((deploymentKey) =>
        ['token-refresh', 'token-sweep', 'credential-watch', 'rotate-credentials'].map(
          (name) => `${name} of ${nameOf(deploymentKey)}`,
        ),
      ),
      ...DEPLOYMENT_KEYS.flatMap(mayInvoke('Role of restore of *', ['token-refresh'])),
      ...DEPLOYMENT_KEYS.flatMap(mayInvoke('Role of credential-watch of *', ['restore'])),
      ...['token-sweep', 'credential-watch', 'rotate-credentials'].flatMap((name) =>
        DEPLOYMENT_KEYS.flatMap(mayInvoke(`Role of the schedule that starts ${name}`, [name])),
      ),
      ...KEYS.map((key) => `reader of ${tokenSecretName('latchkey', key)} → token-refresh of ${nameOf(key)}`),
    ].sort(),
  );
}

it('permissions to invoke functions are exactly as declared', expectInvocations);

const SECRET = 'arn:aws:secretsmanager:*:*:secret:latchkey';
it.each([
  [
    'a reader may read the token of another tenant',
    /^reader of .*\/tenant\//,
    'secretsmanager:GetSecretValue',
    `${SECRET}*/tenant-a/token/content/api-read-*`,
  ],
  [
    'the restore function may read the tokens of another deployment',
    /^Role of restore of staging global/,
    'secretsmanager:GetSecretValue',
    `${SECRET}/production/mea/*`,
  ],
  ['an operator may invoke any function', /^operator of staging/, 'lambda:InvokeFunction', '*'],
])('permissions turn red when %s', async (_, description, action, resource) => {
  const { arn } = roles.find((each) => description.test(each.description))!;
  const { inlinePolicies } = account.roles.get(arn)!;
  const Statement = {
    Effect: 'Allow' as const,
    Action: [action, 'kms:Decrypt'],
    Resource: [resource, 'arn:aws:kms:*'],
  };
  inlinePolicies.push({ name: 'too wide', document: { Statement } });
  try {
    await expectRed(() => {
      expectOnSecrets('GetSecretValue');
      expectInvocations();
    });
  } finally {
    inlinePolicies.pop();
  }
});

describe('operators alone', () => {
  const arnOf = (service: string, resource: string) =>
    `arn:aws:${service}:${REGION}:${account.accountId}:${resource}`;
  const named = (arn: string) => ({ arn, name: arn });

  it('read parameters, of their deployment', () => {
    const parameter = ({ environment, platformRegion }: DeploymentKey, prefix = 'latchkey') =>
      arnOf('ssm', `parameter/${prefix}/${environment}/${platformRegion}/token-refresh-arn`);
    const arns = [
      ...DEPLOYMENT_KEYS.map((key) => parameter(key)),
      parameter(DEPLOYMENT_KEYS[0]!, 'latchkey-two'),
    ];

    expect(allowed('ssm:GetParameter', arns.map(named))).toEqual(
      operators((deploymentKey) => [parameter(deploymentKey)]).sort(),
    );
  });

  it.each(['scheduler:GetSchedule', 'scheduler:UpdateSchedule'])(
    'have %s, on the schedules of their deployment',
    (action) => {
      const schedules = (deploymentKey: DeploymentKey) =>
        SCHEDULED_FUNCTIONS.map((scheduled) =>
          arnOf('scheduler', `schedule/default/${scheduleName('latchkey', deploymentKey, scheduled)}`),
        );

      expect(allowed(action, DEPLOYMENT_KEYS.flatMap(schedules).map(named))).toEqual(
        operators(schedules).sort(),
      );
    },
  );

  it('pass roles: those of schedules, only to EventBridge Scheduler', () => {
    const scheduleRolesOf = ({ environment, platformRegion }: DeploymentKey) =>
      roles
        .filter(({ description }) => description.startsWith('Role of the schedule'))
        .filter(({ stack }) => stack === `latchkey-${environment}-${platformRegion}`)
        .map(({ arn }) => arn);
    const passedTo = (service: string) =>
      allowed(
        'iam:PassRole',
        roles.map(({ arn }) => named(arn)),
        { 'iam:PassedToService': service },
      );

    expect(passedTo('scheduler.amazonaws.com')).toEqual(operators(scheduleRolesOf).sort());
    expect(passedTo('lambda.amazonaws.com')).toEqual([]);
  });

  it('read alarms', () => {
    const alarms = arnOf('cloudwatch', 'alarm:*');

    expect(allowed('cloudwatch:DescribeAlarms', [named(alarms)])).toEqual(operators(() => [alarms]).sort());
  });
});

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
const notOurs = [
  'latchkey/staging/global/tenant/other',
  'latchkey/staging/global-copy/tenant/client-credentials',
  'latchkey-two/staging/global/tenant/token/content/api-read',
  'team/database',
].map((name) => addSecret(account, name, [...account.keys.keys()][0]));

/** `secrets` are names below the tenant's path. */
interface Right {
  actions: SecretAction[];
  secrets: string[];
}

/** All permissions on the secrets of a deployment, by role. A role that is missing here is an error. */
const DECLARED: Record<string, Right[]> = {
  'Role of token-refresh': [
    { actions: ['GetSecretValue', 'DescribeSecret'], secrets: ['client-credentials'] },
    {
      actions: ['GetSecretValue', 'DescribeSecret', 'PutSecretValue'],
      secrets: ['token/content/*', 'token/webhooks/*'],
    },
  ],
  'Role of token-sweep': [
    { actions: ['GetSecretValue', 'DescribeSecret'], secrets: ['client-credentials'] },
    { actions: ['DescribeSecret', 'ListSecretVersionIds'], secrets: ['client-credentials', 'api-key'] },
    {
      actions: ['GetSecretValue', 'DescribeSecret', 'PutSecretValue'],
      secrets: ['token/content/*', 'token/webhooks/*'],
    },
  ],
  'Role of authorizer': [
    { actions: ['GetSecretValue', 'DescribeSecret'], secrets: ['api-key'] },
    { actions: ['GetSecretValue'], secrets: ['token/content/*'] },
  ],
  'Role of restore': [{ actions: ['GetSecretValue'], secrets: ['token/content/api-write'] }],
  'Role of rotate-credentials': [
    {
      actions: ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'],
      secrets: ['client-credentials', 'api-key'],
    },
    { actions: ['TagResource'], secrets: ['api-key'] },
  ],
  'Role of credential-watch': [
    { actions: ['DescribeSecret', 'ListSecretVersionIds'], secrets: ['client-credentials', 'api-key'] },
    { actions: ['GetSecretValue'], secrets: ['api-key', 'token/content/*', 'token/webhooks/*'] },
  ],
  operator: [
    {
      actions: [
        'PutSecretValue',
        'DescribeSecret',
        'ListSecretVersionIds',
        'UpdateSecretVersionStage',
        'RotateSecret',
      ],
      secrets: ['client-credentials', 'api-key'],
    },
    { actions: ['GetSecretValue'], secrets: ['token/content/*', 'token/webhooks/*'] },
  ],
  'Role of the schedule that starts token-sweep': [],
  'Role of the schedule that starts credential-watch': [],
  'Role of the schedule that starts rotate-credentials': [],
  'Lets API Gateway write logs': [],
};

/** Whether {@link DECLARED} gives a role this permission, limited to secrets of its own deployment. */
function isDeclared({ description }: DescribedRole, action: SecretAction, name: string): boolean {
  if (description.startsWith('reader of '))
    return action === 'GetSecretValue' && description === `reader of ${name}`;
  const [, kind = '', environment, platformRegion] = /^(.+?)(?: of (staging|production) (global|mea))?$/.exec(
    description,
  )!;
  const rights = DECLARED[kind];
  if (rights === undefined) throw new Error(`${description}: state in DECLARED what this role may do`);
  const deploymentKey = DEPLOYMENT_KEYS.find(
    (known) => known.environment === environment && known.platformRegion === platformRegion,
  );
  return (deploymentKey?.tenantIds ?? []).some((tenantId) =>
    rights.some(
      ({ actions, secrets }) =>
        actions.includes(action) &&
        secrets.some((secret) => {
          const path = `latchkey/${environment}/${platformRegion}/${tenantId}/${secret}`;
          return path.endsWith('*') ? name.startsWith(path.slice(0, -1)) : name === path;
        }),
    ),
  );
}

/** All pairs of role and secret that pass `test`, one line each. */
function deploymentKeys(test: (role: DescribedRole, secret: (typeof ours)[number]) => boolean): string[] {
  return roles.flatMap((role) =>
    [...ours, ...notOurs]
      .filter((secret) => test(role, secret))
      .map(({ name }) => `${role.stack}: ${role.description} → ${name}`),
  );
}

describe('permissions on secrets', () => {
  it('are checked for all secrets of all deployments', () => {
    const tenants = DEPLOYMENT_KEYS.flatMap(({ tenantIds }) => tenantIds);

    expect(ours.length).toBe(KEYS.length + 2 * tenants.length);
  });

  function expectAsDeclared(action: SecretAction) {
    const allowed = deploymentKeys((role, secret) =>
      may({ account, roleArn: role.arn }, action, account, secret),
    );

    expect(allowed).toEqual(deploymentKeys((role, { name }) => isDeclared(role, action, name)));
  }

  it.each(SECRET_ACTIONS)('%s: exactly as declared, within one deployment', expectAsDeclared);

  it.each([
    [
      'a reader may read the token of another tenant',
      /^reader of .*\/tenant\//,
      '/tenant-a/token/content/api-read-',
    ],
    [
      'the restore function may read the tokens of another deployment',
      /^Role of restore of staging global/,
      '/production/mea/',
    ],
    ['an operator may read a client secret', /^operator of staging/, '/client-credentials-'],
  ])('turns red when %s', async (_, description, resource) => {
    const role = roles.find((each) => description.test(each.description))!;
    const { inlinePolicies } = account.roles.get(role.arn)!;
    const Resource = `arn:aws:secretsmanager:*:*:secret:latchkey*${resource}*`;
    const Statement = [
      { Effect: 'Allow' as const, Action: 'secretsmanager:GetSecretValue', Resource },
      { Effect: 'Allow' as const, Action: 'kms:Decrypt', Resource: '*' },
    ];
    inlinePolicies.push({ name: 'too wide', document: { Version: '2012-10-17', Statement } });
    try {
      await expectRed(() => expectAsDeclared('GetSecretValue'));
    } finally {
      inlinePolicies.pop();
    }
  });

  // AWS denies a name that does not exist, unless the caller has the permission on every resource.
  it('tell those who look for them, and nobody else, which of their secrets do not exist', () => {
    const names = [...ours, ...notOurs].map(({ name }) => name);
    const told = SECRET_ACTIONS.flatMap((action) =>
      roles.flatMap(({ arn, stack, description }) =>
        names
          .filter((name) =>
            isAllowed(
              { account, roleArn: arn },
              `secretsmanager:${action}`,
              { arn: name, owner: account },
              { 'secretsmanager:SecretId': name },
            ),
          )
          .map((name) => ({ action, stack, description, name })),
      ),
    );

    expect(told.length).toBeGreaterThan(0);
    for (const { action, stack, description, name } of told) {
      expect(action).toBe('DescribeSecret');
      expect(description).toMatch(/^Role of (token-(refresh|sweep)|rotate-credentials) /);
      const [prefix, environment, platformRegion, , ...secret] = name.split('/');
      expect(stack).toBe([prefix, environment, platformRegion].join('-'));
      if (secret.join('/') === 'api-key') {
        expect(description).toMatch(/^Role of (token-sweep|rotate-credentials) /);
        continue;
      }
      expect(description).toMatch(/^Role of token-/);
      expect(secret.join('/')).toMatch(/^(client-credentials|token\/.+)$/);
    }
    const describedBy = (kind: string) => told.filter(({ name }) => name.endsWith(`/${kind}`)).length;
    expect(describedBy('client-credentials')).toBe(describedBy('api-key'));
    expect(describedBy('api-key')).toBe(2 * ours.filter(({ name }) => name.endsWith('/api-key')).length);
    for (const key of KEYS)
      expect(told.filter(({ name }) => name === tokenSecretName('latchkey', key))).toHaveLength(2);
  });

  it('on the key allow decrypting only secrets that the role may read or write', () => {
    const decrypts = deploymentKeys((role, secret) =>
      mayUseKey({ account, roleArn: role.arn }, 'kms:Decrypt', account, secret),
    );

    expect(decrypts).toEqual(
      deploymentKeys(
        (role, { name }) =>
          isDeclared(role, 'GetSecretValue', name) || isDeclared(role, 'PutSecretValue', name),
      ),
    );
  });

  it('on the key apply only through Secrets Manager', () => {
    const direct = roles.flatMap((role) =>
      [...account.keys.values()].filter(({ arn, policy }) =>
        isAllowed(
          { account, roleArn: role.arn },
          'kms:Decrypt',
          { arn, owner: account, policy },
          {
            'kms:EncryptionContext:SecretARN': ours[0]!.arn,
          },
        ),
      ),
    );

    expect(direct).toEqual([]);
  });

  it('never apply over plain HTTP', () => {
    const plain = roles.flatMap((role) =>
      ours.filter(({ arn, resourcePolicy }) =>
        isAllowed(
          { account, roleArn: role.arn },
          'secretsmanager:GetSecretValue',
          { arn, owner: account, policy: resourcePolicy },
          { 'aws:SecureTransport': 'false' },
        ),
      ),
    );

    expect(plain).toEqual([]);
  });
});

describe('permissions to invoke functions', () => {
  function expectAsDeclared() {
    const invoked = roles.flatMap((role) =>
      [...account.functions.values()]
        .filter(({ arn, resourcePolicy }) =>
          isAllowed({ account, roleArn: role.arn }, 'lambda:InvokeFunction', {
            arn,
            owner: account,
            policy: resourcePolicy,
          }),
        )
        .map(
          ({ roleArn }) => `${role.description} → ${roles.find(({ arn }) => arn === roleArn)!.description}`,
        ),
    );

    const of = ({ environment, platformRegion }: DeploymentKey) => `of ${environment} ${platformRegion}`;
    const operators = DEPLOYMENT_KEYS.flatMap((deploymentKey) =>
      ['token-refresh', 'token-sweep', 'credential-watch', 'rotate-credentials'].map(
        (name) => `operator ${of(deploymentKey)} → Role of ${name} ${of(deploymentKey)}`,
      ),
    );
    expect(invoked.sort()).toEqual(
      [
        ...operators,
        ...operators,
        ...DEPLOYMENT_KEYS.map(
          (deploymentKey) =>
            `Role of restore ${of(deploymentKey)} → Role of token-refresh ${of(deploymentKey)}`,
        ),
        ...DEPLOYMENT_KEYS.map(
          (deploymentKey) =>
            `Role of credential-watch ${of(deploymentKey)} → Role of restore ${of(deploymentKey)}`,
        ),
        ...DEPLOYMENT_KEYS.flatMap((deploymentKey) =>
          ['token-sweep', 'credential-watch', 'rotate-credentials'].map(
            (name) => `Role of the schedule that starts ${name} → Role of ${name} ${of(deploymentKey)}`,
          ),
        ),
        ...KEYS.map(
          (key) => `reader of ${tokenSecretName('latchkey', key)} → Role of token-refresh ${of(key)}`,
        ),
      ].sort(),
    );
  }

  it('are exactly as declared', expectAsDeclared);

  it('turn red when an operator may invoke any function', async () => {
    const role = roles.find(({ description }) => description.startsWith('operator of staging'))!;
    const { inlinePolicies } = account.roles.get(role.arn)!;
    const Statement = [{ Effect: 'Allow' as const, Action: 'lambda:InvokeFunction', Resource: '*' }];
    inlinePolicies.push({ name: 'too wide', document: { Version: '2012-10-17', Statement } });
    try {
      await expectRed(expectAsDeclared);
    } finally {
      inlinePolicies.pop();
    }
  });
});

describe('permissions to read parameters', () => {
  it('are limited to the operators of the deployment', () => {
    const arnOf = ({ environment, platformRegion }: DeploymentKey, prefix = 'latchkey') =>
      `arn:aws:ssm:${REGION}:${account.accountId}:parameter/${prefix}/${environment}/${platformRegion}/token-refresh-arn`;
    const arns = [
      ...DEPLOYMENT_KEYS.map((deploymentKey) => arnOf(deploymentKey)),
      arnOf(DEPLOYMENT_KEYS[0]!, 'latchkey-two'),
    ];

    const allowed = roles.flatMap((role) =>
      arns
        .filter((arn) =>
          isAllowed({ account, roleArn: role.arn }, 'ssm:GetParameter', { arn, owner: account }),
        )
        .map((arn) => `${role.description} → ${arn}`),
    );

    const declared = DEPLOYMENT_KEYS.map(
      (deploymentKey) =>
        `operator of ${deploymentKey.environment} ${deploymentKey.platformRegion} → ${arnOf(deploymentKey)}`,
    );
    expect(allowed.sort()).toEqual([...declared, ...declared].sort());
  });
});

describe('permissions on schedules', () => {
  const schedules = DEPLOYMENT_KEYS.flatMap((deploymentKey) =>
    SCHEDULED_FUNCTIONS.map((scheduled) => {
      const name = scheduleName('latchkey', deploymentKey, scheduled);
      const arn = `arn:aws:scheduler:${REGION}:${account.accountId}:schedule/default/${name}`;
      return { deploymentKey, arn };
    }),
  );
  const allowed = (action: string, arns: string[], context?: Record<string, string>) =>
    roles.flatMap((role) =>
      arns
        .filter((arn) => isAllowed({ account, roleArn: role.arn }, action, { arn, owner: account }, context))
        .map((arn) => `${role.description} → ${arn}`),
    );
  const operators = ({ environment, platformRegion }: DeploymentKey, arn: string) =>
    Array<string>(2).fill(`operator of ${environment} ${platformRegion} → ${arn}`);

  it.each(['scheduler:GetSchedule', 'scheduler:UpdateSchedule'])(
    '%s: its operators, on the schedules of their deployment alone',
    (action) => {
      const found = allowed(
        action,
        schedules.map(({ arn }) => arn),
      );

      expect(found.sort()).toEqual(
        schedules.flatMap(({ deploymentKey, arn }) => operators(deploymentKey, arn)).sort(),
      );
    },
  );

  it('iam:PassRole: only the schedules’ roles, only to EventBridge Scheduler', () => {
    const arns = roles.map(({ arn }) => arn);
    const scheduleRoles = roles.filter(({ description }) => description.startsWith('Role of the schedule'));
    const passedTo = (service: string) =>
      allowed('iam:PassRole', arns, { 'iam:PassedToService': service }).sort();

    const deploymentKeyOf = (stack: string) =>
      DEPLOYMENT_KEYS.find(
        ({ environment, platformRegion }) => stack === `latchkey-${environment}-${platformRegion}`,
      )!;
    const declared = scheduleRoles.flatMap(({ arn, stack }) => operators(deploymentKeyOf(stack), arn));
    expect(passedTo('scheduler.amazonaws.com')).toEqual(declared.sort());
    expect(passedTo('lambda.amazonaws.com')).toEqual([]);
  });
});

describe('permission to read alarms', () => {
  it('belongs to operators', () => {
    const arn = `arn:aws:cloudwatch:${REGION}:${account.accountId}:alarm:*`;
    const allowed = roles.filter(({ arn: roleArn }) =>
      isAllowed({ account, roleArn }, 'cloudwatch:DescribeAlarms', { arn, owner: account }),
    );

    expect(allowed.map(({ description }) => description.split(' ')[0])).toEqual(
      DEPLOYMENT_KEYS.flatMap(() => ['operator', 'operator']),
    );
  });
});

import { Account, matchesWildcards, type PolicyDocument, type Role } from 'cdk-on-loopback/testing';
import { parseConfiguration } from '../../../lib/options/load';
import { type Configuration } from '../../../lib/options/schema';
import { type DeploymentRoles, type PolicyText, roleDocuments } from '../../../lib/stacks/role-documents';
import {
  ACCOUNT_ID,
  ALL_TOKENS,
  configuration,
  EVERY_OPTION,
  KEYS,
  REGION,
  tenant,
  type WrittenDeployment,
  written,
} from '../../support/lib/configuration';
import { provisionSynthesis } from '../../support/lib/provisioned';
import { synthesizeOnce } from '../../support/lib/synthesis';

const KEY = `arn:aws:kms:eu-west-1:${ACCOUNT_ID}:key/0f0f0f0f-1111-2222-3333-444444444444`;
const EVERYTHING: Partial<WrittenDeployment> = {
  tenants: [tenant('tenant-a', ALL_TOKENS)],
  auditSecrets: true,
  encryptLogsAndQueue: true,
  vpc: { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a'], securityGroupIds: ['sg-0a'] },
};

const OPEN: PolicyDocument = {
  Statement: [{ Effect: 'Allow', Principal: '*', Action: 'kms:*', Resource: '*' }],
};

/** What is printed, and the account that the templates create. */
function bothOf(value: Configuration): {
  printed: DeploymentRoles;
  account: ReturnType<typeof provisionSynthesis>;
} {
  const [printed] = roleDocuments(value);
  const account = new Account(ACCOUNT_ID, REGION);
  for (const arn of Object.values(KEYS))
    account.inRegion(arn.split(':')[3]!).keys.set(arn, { arn, policy: OPEN });
  return { printed: printed!, account: provisionSynthesis(synthesizeOnce(value), account) };
}

/** Whether what is printed allows what is there, and nothing but names that CloudFormation chooses differs. */
function covers(printed: unknown, there: unknown): boolean {
  if (typeof printed === 'string' && typeof there === 'string')
    return printed === there || matchesWildcards(printed, there);
  if (typeof printed !== 'object' || printed === null || typeof there !== 'object' || there === null)
    return printed === there;
  const [one, other] = [Object.entries(printed), Object.entries(there)].map((entries) =>
    entries.sort(([a], [b]) => a.localeCompare(b)),
  );
  return (
    one!.length === other!.length &&
    one!.every(([key, item], index) => key === other![index]![0] && covers(item, other![index]![1]))
  );
}

const statementsOf = (document: PolicyText | PolicyDocument | undefined) =>
  [document?.Statement ?? []].flat();

describe.each([
  ['of a deployment with everything', configuration(EVERYTHING)],
  ['with every option', configuration(EVERY_OPTION)],
  ['in IAM mode', configuration({ restoreApi: { auth: 'iam' } })],
  ['with roles that have names', configuration({ roles: { path: '/team/', namePrefix: 'corp-' } })],
  [
    'with the longest prefix',
    parseConfiguration({ ...written(), prefix: 'p'.repeat(29) }, 'test configuration'),
  ],
])('the printed roles %s', (_, value) => {
  const { printed, account } = bothOf(value);
  const roleOf = (text: string): Role => {
    const { arn } = account.roles.find(({ description }) => description === text)!;
    return account.account.roles.get(arn)!;
  };

  it('are all that the templates create', () => {
    expect(printed.roles.map(({ description }) => description).sort()).toEqual(
      account.roles.map(({ description }) => description).sort(),
    );
  });

  it('have the trust and the policies of the templates', () => {
    for (const { description, trustPolicy, managedPolicyArns, policy } of printed.roles) {
      const role = roleOf(description);
      const there = role.inlinePolicies.flatMap(({ document }) => statementsOf(document));

      expect(trustPolicy).toEqual(role.assumeRolePolicy);
      expect(managedPolicyArns).toEqual(role.managedPolicyArns);
      expect({ description, isSame: covers(statementsOf(policy), there) }).toEqual({
        description,
        isSame: true,
      });
    }
  });

  it('go with the operator policy of the templates', () => {
    const [operator] = [...account.account.managedPolicies.values()];

    expect(covers(printed.operatorPolicy, operator!.document)).toBe(true);
  });
});

describe('the printed policies', () => {
  it('name one function each, though CloudFormation has not yet chosen its name', () => {
    const { printed, account } = bothOf(configuration(EVERYTHING));
    const functions = [...account.account.functions.keys()];
    const patterns = JSON.stringify(printed).match(/arn:aws:lambda:[^"]+/g)!;

    expect(new Set(patterns).size).toBe(5);
    for (const pattern of patterns)
      expect(functions.filter((arn) => matchesWildcards(pattern, arn))).toHaveLength(1);
  });

  it('name the key that the configuration names, and any of the account without it', () => {
    const keysOf = (value: Configuration) => [
      ...new Set(JSON.stringify(roleDocuments(value)).match(/arn:aws:kms:[^"]+/g)),
    ];

    expect(keysOf(configuration({ kmsKeyArn: KEY }))).toEqual([KEY]);
    expect(keysOf(configuration())).toEqual([`arn:aws:kms:eu-west-1:${ACCOUNT_ID}:key/*`]);
  });

  it('let services read the tokens of one tenant, and request them', () => {
    const { readers } = roleDocuments(
      configuration({ tenants: [tenant('tenant-a'), tenant('tenant-b')] }),
    )[0]!;

    expect(readers.map(({ tenantId }) => tenantId)).toEqual(['tenant-a', 'tenant-b']);
    expect(readers[0]!.policy.Statement).toEqual([
      expect.objectContaining({ Action: 'kms:Decrypt' }),
      expect.objectContaining({
        Action: 'secretsmanager:GetSecretValue',
        Resource: `arn:aws:secretsmanager:eu-west-1:${ACCOUNT_ID}:secret:latchkey/staging/global/tenant-a/token/content/api-read-??????`,
      }),
      expect.objectContaining({
        Action: 'lambda:InvokeFunction',
        Resource: `arn:aws:lambda:eu-west-1:${ACCOUNT_ID}:function:latchkey-staging-glo*TokensTokenRefreshFu*`,
      }),
    ]);
  });

  it('are of the partition of each deployment, though the shared stacks have one name', () => {
    const { deployments, ...shared } = written();
    const ofPartition = (region: string, environment: 'staging' | 'production') => ({
      ...{ ...deployments[0]!, region, environment, tenants: [] },
    });
    const value = parseConfiguration(
      {
        ...shared,
        deployments: [ofPartition('eu-west-1', 'staging'), ofPartition('cn-north-1', 'production')],
      },
      'test configuration',
    );
    const logging = roleDocuments(value).map(({ roles }) =>
      roles.find(({ name }) => name === 'apiGatewayLogging')!.managedPolicyArns.join(),
    );

    expect(logging).toEqual([expect.stringMatching(/^arn:aws:/), expect.stringMatching(/^arn:aws-cn:/)]);
  });

  it('let operators pass the roles that exist to the schedules', () => {
    const names = ['tokenRefresh', 'tokenSweep', 'credentialWatch', 'rotateCredentials'];
    const schedules = ['tokenSweepSchedule', 'credentialWatchSchedule'];
    const arnOf = (name: string) => `arn:aws:iam::${ACCOUNT_ID}:role/team/${name}`;
    const existing = {
      ...Object.fromEntries([...names, ...schedules].map((name) => [name, arnOf(name)])),
      operatorPolicy: `arn:aws:iam::${ACCOUNT_ID}:policy/operators`,
    };
    const value = configuration({ restoreApi: { enabled: false }, roles: { existing } });

    expect(roleDocuments(value)[0]!.operatorPolicy.Statement).toContainEqual(
      expect.objectContaining({ Action: 'iam:PassRole', Resource: schedules.map(arnOf) }),
    );
  });
});

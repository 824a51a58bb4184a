import { type Account } from 'cdk-on-loopback/testing';
import { expectRed } from '../support/holes/expect-red';
import { ACCOUNT_ID, configuration, REGION, tenant } from '../support/lib/configuration';
import { isAllowed, provisionSynthesis } from '../support/lib/provisioned';
import { synthesizeOnce } from '../support/lib/synthesis';

const iam = (role: string) => `arn:aws:iam::${ACCOUNT_ID}:role/${role}`;
const ADMINISTRATOR = iam('administrators');
/** As `cdk bootstrap` creates it. */
const CLOUDFORMATION = iam(`cdk-hnb659fds-cfn-exec-role-${ACCOUNT_ID}-${REGION}`);
const VIA_CLOUDFORMATION = { 'aws:CalledVia': 'cloudformation.amazonaws.com' };

const { account, roles } = provisionSynthesis(
  synthesizeOnce(configuration({ tenants: [tenant('tenant-a')] })),
);
const ROTATOR = roles.find(({ description }) =>
  description.startsWith('Role of rotate-credentials of '),
)!.arn;
for (const arn of [ADMINISTRATOR, CLOUDFORMATION]) addAdministrator(account, arn);

/** A role that may do everything, as far as its own policies go. */
function addAdministrator({ roles: all }: Account, arn: string): void {
  const everything = { Effect: 'Allow', Action: '*', Resource: '*' } as const;
  all.set(arn, {
    arn,
    name: arn.split('/').at(-1)!,
    assumeRolePolicy: { Version: '2012-10-17', Statement: [] },
    inlinePolicies: [{ name: 'all', document: { Version: '2012-10-17', Statement: [everything] } }],
    managedPolicyArns: [],
  });
}

const secretOf = (kind: string) =>
  [...account.secrets.values()].find(({ name }) => name.endsWith(`/${kind}`))!;

function mayTag(
  roleArn: string,
  action: 'TagResource' | 'UntagResource',
  key: string,
  context: Record<string, string> = {},
  policy = secretOf('api-key').resourcePolicy,
): boolean {
  const { arn } = secretOf('api-key');
  const keys = { 'aws:TagKeys': key, 'aws:SecureTransport': 'true', ...context };
  return isAllowed({ account, roleArn }, `secretsmanager:${action}`, { arn, owner: account, policy }, keys);
}

const expectDenied = (policy = secretOf('api-key').resourcePolicy) =>
  expect(mayTag(ADMINISTRATOR, 'TagResource', 'latchkey:proven', {}, policy)).toBe(false);

describe('the record of proven API keys, to an administrator', () => {
  it.each(['latchkey:proven', 'latchkey:refused'])('is denied: to set or remove %s', (key) => {
    expect(mayTag(ADMINISTRATOR, 'TagResource', key)).toBe(false);
    expect(mayTag(ADMINISTRATOR, 'UntagResource', key)).toBe(false);
  });

  it('is denied through a service that tags for its callers', () => {
    const context = { 'aws:CalledVia': 'tagging.amazonaws.com', 'aws:ViaAWSService': 'true' };

    expect(mayTag(ADMINISTRATOR, 'TagResource', 'latchkey:proven', context)).toBe(false);
  });

  it.each(['cost-center', 'latchkey:kind'])('leaves another tag allowed: %s', (key) => {
    expect(mayTag(ADMINISTRATOR, 'TagResource', key)).toBe(true);
    expect(mayTag(ADMINISTRATOR, 'UntagResource', key)).toBe(true);
  });

  it('turns red without the statement', () => {
    const policy = structuredClone(secretOf('api-key').resourcePolicy!);
    policy.Statement = [policy.Statement]
      .flat()
      .filter(({ Action }) => ![Action].flat().includes('secretsmanager:TagResource'));

    return expectRed(() => expectDenied(policy));
  });
});

it('rotate-credentials writes the record', () => {
  expect(mayTag(ROTATOR, 'TagResource', 'latchkey:proven')).toBe(true);
});

it.each<[string, string, Record<string, string>]>([
  ['in the execution role of the CDK', CLOUDFORMATION, {}],
  ['for who deploys, in any role', ADMINISTRATOR, VIA_CLOUDFORMATION],
])('CloudFormation may set and remove any tag %s', (_, roleArn, context) => {
  for (const key of ['latchkey:proven', 'latchkey:kind', 'cost-center']) {
    expect(mayTag(roleArn, 'TagResource', key, context)).toBe(true);
    expect(mayTag(roleArn, 'UntagResource', key, context)).toBe(true);
  }
});

it('is on API keys alone, and far below the limit of a policy', () => {
  const text = (kind: string) => JSON.stringify(secretOf(kind).resourcePolicy);

  expect(text('client-credentials')).not.toContain('TagResource');
  expect(text('api-key').length).toBeLessThan(2_048);
});

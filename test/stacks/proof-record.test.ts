import { expectRed } from '../support/holes/expect-red';
import { ACCOUNT_ID, REGION, tenant } from '../support/lib/configuration';
import { addRole, isAllowed, provisionSynthesis } from '../support/lib/provisioned';
import { synthesisWith } from '../support/lib/synthesis';

const iam = (role: string) => `arn:aws:iam::${ACCOUNT_ID}:role/${role}`;
const ADMINISTRATOR = iam('administrators');
/** As `cdk bootstrap` creates it. */
const CLOUDFORMATION = iam(`cdk-hnb659fds-cfn-exec-role-${ACCOUNT_ID}-${REGION}`);
const VIA_CLOUDFORMATION = { 'aws:CalledVia': 'cloudformation.amazonaws.com' };

const { account, roles } = provisionSynthesis(synthesisWith({ tenants: [tenant('tenant-a')] }));
const ROTATOR = roles.find(({ description }) =>
  description.startsWith('Role of rotate-credentials of '),
)!.arn;
for (const arn of [ADMINISTRATOR, CLOUDFORMATION]) addRole(account, arn);

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

const mayBoth = (roleArn: string, key: string, context?: Record<string, string>) =>
  (['TagResource', 'UntagResource'] as const).map((action) => mayTag(roleArn, action, key, context));

describe('the record of proven API keys, to an administrator', () => {
  it.each(['latchkey:proven', 'latchkey:refused'])('is denied: to set or remove %s', (key) => {
    expect(mayBoth(ADMINISTRATOR, key)).toEqual([false, false]);
  });

  it('is denied through a service that tags for its callers', () => {
    const context = { 'aws:CalledVia': 'tagging.amazonaws.com', 'aws:ViaAWSService': 'true' };

    expect(mayBoth(ADMINISTRATOR, 'latchkey:proven', context)).toEqual([false, false]);
  });

  it.each(['cost-center', 'latchkey:kind'])('leaves another tag allowed: %s', (key) => {
    expect(mayBoth(ADMINISTRATOR, key)).toEqual([true, true]);
  });

  it('turns red without the statement', () => {
    const policy = structuredClone(secretOf('api-key').resourcePolicy!);
    policy.Statement = [policy.Statement]
      .flat()
      .filter(({ Action }) => ![Action].flat().includes('secretsmanager:TagResource'));

    return expectRed(() =>
      expect(mayTag(ADMINISTRATOR, 'TagResource', 'latchkey:proven', {}, policy)).toBe(false),
    );
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
    expect(mayBoth(roleArn, key, context)).toEqual([true, true]);
  }
});

it('is on API keys alone, and far below the limit of a policy', () => {
  const text = (kind: string) => JSON.stringify(secretOf(kind).resourcePolicy);

  expect(text('client-credentials')).not.toContain('TagResource');
  expect(text('api-key').length).toBeLessThan(2_048);
});

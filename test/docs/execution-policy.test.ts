import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { evaluatePolicies, type PolicyDocument, type PolicyStatement } from 'cdk-on-loopback/testing';
import { ACCOUNT_ID, ALL_TOKENS, REGION, tenant } from '../support/lib/configuration';
import { EDGES } from '../support/lib/edge';
import { type PlacedResource, synthesisWith } from '../support/lib/synthesis';
import registry from './handler-permissions.json';

const PAGE = readFileSync(join(__dirname, '../../docs/execution-policy.md'), 'utf8');
const policies = [...PAGE.matchAll(/```json\n(.*?)```/gs)].map(
  ([, json]) => JSON.parse(json!) as PolicyDocument,
);
const statements = policies.flatMap(({ Statement }) => Statement as PolicyStatement[]);

/** The largest managed policy, in characters without white space: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const MAX_POLICY_CHARACTERS = 6144;

/**
 * What CloudFormation calls for each type of resource in the templates, by service. For another type:
 * `aws cloudformation describe-type --type RESOURCE --type-name TYPE --query Schema`.
 * @see https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schema.html (handlers)
 */
const HANDLER_PERMISSIONS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(registry.types).map(([type, lines]) => [type, lines.flatMap(actionsIn)]),
);

/** The actions in a line such as `iam: GetRole PassRole`. */
function actionsIn(line: string): string[] {
  const [service, ...names] = line.split(' ');
  return names.map((name) => `${service}${name}`);
}

/**
 * Permissions that handlers need only for properties that no template sets: other services, IAM groups and users, and
 * what would change more of the account than Latchkey's resources.
 */
const UNUSED = [
  /^(amplify|apprunner|appsync|bedrock-agentcore|cognito-idp|elasticfilesystem|elasticloadbalancing|firehose|s3files):/,
  /^ec2:\w*VerifiedAccess/,
  /^iam:\w+(Group|User)Policy$/,
  /^kms:(CreateGrant|Decrypt|Encrypt|GenerateDataKey)$/,
  /^lambda:PassCapacityProvider$/,
  /^logs:(CreateLogDelivery|DeleteResourcePolicy|PutResourcePolicy)$/,
  /^s3:REST/,
];
const isUsed = (action: string) => !UNUSED.some((pattern) => pattern.test(action));

/** Statements for what CloudFormation needs beyond the handlers' permissions. */
const BEYOND_HANDLERS = ['ServiceLinkedRole', 'BootstrapVersion', 'KeysOfSecrets', 'KeyOfAssets'];

/** Deployments that together have every kind of resource. */
const resources = [
  {
    tenants: [tenant('tenant-a', ALL_TOKENS)],
    alarms: { emails: ['team@example.org'] },
    vpc: { vpcId: 'vpc-0a', subnetIds: ['subnet-0a'], securityGroupIds: ['sg-0a'] },
    tags: { team: 'learning' },
    auditSecrets: true,
    dashboard: true,
    trailEvents: true,
    permissionsBoundaryArn: `arn:aws:iam::${ACCOUNT_ID}:policy/team/boundary`,
  },
  ...Object.values(EDGES).map((restoreApi) => ({
    restoreApi: { ...restoreApi, auditRetentionDays: 365 as const },
  })),
].flatMap((deployment) => synthesisWith(deployment).resources());
const managed = resources.filter(({ Type }) => Type !== 'AWS::CDK::Metadata');

/** Whether the policies allow a request of CloudFormation in the tests' account. */
function allows(action: string, resource: string, context: Record<string, string> = {}): boolean {
  const roleArn = `arn:aws:iam::${ACCOUNT_ID}:role/cdk-hnb659fds-cfn-exec-role-${ACCOUNT_ID}-${REGION}`;
  return evaluatePolicies(
    {
      principal: {
        kind: 'role-session',
        accountId: ACCOUNT_ID,
        arn: `arn:aws:sts::${ACCOUNT_ID}:assumed-role/cfn-exec/CloudFormation`,
        roleArn,
        sessionName: 'CloudFormation',
      },
      action,
      resource,
      resourceAccount: ACCOUNT_ID,
      context,
    },
    {
      identity: policies.map((document, index) => ({ name: `policy ${index + 1}`, document })),
      // A new key's policy lets the account's identity policies decide.
      ...(action.startsWith('kms:') && { resource: KEY_POLICY }),
    },
  ).allowed;
}

const ROOT = { AWS: `arn:aws:iam::${ACCOUNT_ID}:root` };
const KEY_POLICY: PolicyDocument = {
  Statement: [{ Effect: 'Allow', Principal: ROOT, Action: 'kms:*', Resource: '*' }],
};

const here = (service: string, rest: string) => `arn:aws:${service}:${REGION}:${ACCOUNT_ID}:${rest}`;

/** A resource that a handler's call is for, with the name that the template or CloudFormation gives it. */
function arnFor(action: string, { stack, logicalId, Type, Properties }: PlacedResource): string {
  const named = (Properties.Name ?? Properties.AlarmName ?? Properties.DashboardName) as string;
  const generated = `${stack}-${logicalId}-1A2B3C4D5E6F`;
  const [service] = action.split(':') as [string];
  const arns: Record<string, () => string> = {
    apigateway: () => `arn:aws:apigateway:${REGION}::/restapis/a1b2c3d4e5/stages/v1`,
    cloudwatch: () => {
      if (action === 'cloudwatch:DescribeAlarms') return '*';
      return Type.endsWith('Dashboard')
        ? `arn:aws:cloudwatch::${ACCOUNT_ID}:dashboard/${named}`
        : here('cloudwatch', `alarm:${named}`);
    },
    ec2: () => '*',
    events: () => here('events', `rule/${generated}`),
    iam: () => `arn:aws:iam::${ACCOUNT_ID}:${/Role/.test(action) ? 'role' : 'policy'}/${generated}`,
    kms: () => (action === 'kms:CreateKey' ? '*' : here('kms', 'key/0f0f0f0f-1111-2222-3333-444444444444')),
    lambda: () => {
      // IAM knows the mapping only by its condition on the function.
      if (action === 'lambda:CreateEventSourceMapping' || action === 'lambda:GetEventSourceMapping')
        return '*';
      return Type.endsWith('EventSourceMapping')
        ? here('lambda', 'event-source-mapping:0f0f0f0f-1111-2222-3333-444444444444')
        : here('lambda', `function:${generated}`);
    },
    logs: () =>
      /Query|DescribeLogGroups|ResourcePolicies/.test(action) ? '*' : here('logs', `log-group:${generated}`),
    route53: () =>
      action === 'route53:GetChange'
        ? 'arn:aws:route53:::change/C0123456789'
        : 'arn:aws:route53:::hostedzone/Z0123456789ABCDEFGHIJ',
    s3: () => `arn:aws:s3:::cdk-hnb659fds-assets-${ACCOUNT_ID}-${REGION}/code.zip`,
    scheduler: () => here('scheduler', `schedule/default/${named}`),
    secretsmanager: () =>
      action === 'secretsmanager:GetRandomPassword'
        ? '*'
        : here('secretsmanager', `secret:${named ?? 'latchkey/staging/global/tenant-a/api-key'}-AbCdEf`),
    sns: () =>
      /Subscription|Unsubscribe/.test(action) && !/List/.test(action) ? '*' : here('sns', generated),
    sqs: () => here('sqs', generated),
    ssm: () => here('ssm', `parameter${named}`),
    wafv2: () => here('wafv2', 'regional/webacl/edge/0f0f0f0f-1111-2222-3333-444444444444'),
  };
  return arns[service]!();
}

/** The services to which the roles are passed. */
const PASSED_TO: Record<string, string> = {
  'AWS::ApiGateway::Account': 'apigateway.amazonaws.com',
  'AWS::Events::Rule': 'events.amazonaws.com',
  'AWS::Lambda::Function': 'lambda.amazonaws.com',
  'AWS::Scheduler::Schedule': 'scheduler.amazonaws.com',
};

describe('the execution policies', () => {
  it('know every type of resource in the templates, and no other', () => {
    expect(Object.keys(HANDLER_PERMISSIONS).sort()).toEqual(
      [...new Set(managed.map(({ Type }) => Type))].sort(),
    );
  });

  it('allow what CloudFormation calls for each resource', () => {
    const calls = managed.flatMap((resource) =>
      HANDLER_PERMISSIONS[resource.Type]!.filter(isUsed)
        .filter((action) => action !== 'iam:PassRole' || resource.Type in PASSED_TO)
        .map((action) => ({
          action,
          arn: arnFor(action, resource),
          context: {
            'iam:PassedToService': PASSED_TO[resource.Type] ?? 'none',
            ...(action.endsWith('EventSourceMapping') && {
              'lambda:FunctionArn': here('lambda', `function:${resource.stack}-TokenSweep-1A2B3C4D5E6F`),
            }),
          },
        })),
    );

    expect(calls.length).toBeGreaterThan(1000);
    expect(calls.filter(({ action, arn, context }) => !allows(action, arn, context))).toEqual([]);
  });

  it('need no right on roles and policies for templates that have none, but to get the role of API Gateway', () => {
    const onIam = managed
      .filter(({ Type }) => !Type.startsWith('AWS::IAM::'))
      .flatMap(({ Type }) => HANDLER_PERMISSIONS[Type]!.filter((action) => action.startsWith('iam:')));

    expect([...new Set(onIam)].sort()).toEqual(['iam:GetRole', 'iam:PassRole']);
  });

  it('leave out only what no template needs', () => {
    const services = new Set(managed.map(({ Type }) => Type.split('::')[1]!.toLowerCase()));
    const out = [...new Set(Object.values(HANDLER_PERMISSIONS).flat())].filter((action) => !isUsed(action));

    const ofGroupsAndUsers = /^iam:(Attach|Delete|Detach|Get|Put)(Group|User)Policy$/;
    const ofServices = out.filter((action) => services.has(action.split(':')[0]!));
    expect(ofServices.filter((action) => !ofGroupsAndUsers.test(action)).sort()).toEqual([
      ...['CreateGrant', 'Decrypt', 'Encrypt', 'GenerateDataKey'].map((action) => `kms:${action}`),
      'lambda:PassCapacityProvider',
      ...['CreateLogDelivery', 'DeleteResourcePolicy', 'PutResourcePolicy'].map((action) => `logs:${action}`),
    ]);
  });

  it('allow what CloudFormation calls for the parameters of a template', () => {
    for (const name of ['cdk-bootstrap/acme/version', 'latchkey/staging/global/key-arn'])
      expect(allows('ssm:GetParameters', here('ssm', `parameter/${name}`))).toBe(true);
  });

  it('allow encrypting secrets with another key, reading encrypted assets, and no other use of a key', () => {
    const key = here('kms', 'key/0f0f0f0f-1111-2222-3333-444444444444');
    const via = (service: string) => ({ 'kms:ViaService': `${service}.${REGION}.amazonaws.com` });

    for (const action of ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey']) {
      expect(allows(action, key, via('secretsmanager'))).toBe(true);
      expect(allows(action, key, via('s3'))).toBe(action === 'kms:Decrypt');
      expect(allows(action, key, via('sqs'))).toBe(false);
      expect(allows(action, key)).toBe(false);
    }
  });

  it.each([
    ['secretsmanager:GetSecretValue', here('secretsmanager', 'secret:payroll/api-key-AbCdEf')],
    ['lambda:UpdateFunctionCode', here('lambda', 'function:payroll')],
    ['iam:PutRolePolicy', `arn:aws:iam::${ACCOUNT_ID}:role/cdk-hnb659fds-cfn-exec-role`],
    ['iam:CreatePolicyVersion', `arn:aws:iam::${ACCOUNT_ID}:policy/cdk-deploys-latchkey-1`],
    ['iam:AttachUserPolicy', `arn:aws:iam::${ACCOUNT_ID}:user/latchkey-user`],
    ['logs:DeleteLogGroup', here('logs', 'log-group:/aws/lambda/payroll')],
    ['logs:PutResourcePolicy', '*'],
    ['ssm:PutParameter', here('ssm', 'parameter/cdk-bootstrap/hnb659fds/version')],
    ['sqs:DeleteQueue', here('sqs', 'payroll')],
    ['sns:DeleteTopic', here('sns', 'pager')],
    ['cloudwatch:DeleteAlarms', here('cloudwatch', 'alarm:payroll')],
    ['scheduler:DeleteSchedule', here('scheduler', 'schedule/default/payroll')],
    ['s3:PutObject', 'arn:aws:s3:::cdk-hnb659fds-assets-222233334444-eu-west-1/code.zip'],
    ['sts:AssumeRole', `arn:aws:iam::${ACCOUNT_ID}:role/latchkey-x`],
  ])('do not allow %s on %s', (action, arn) => {
    expect(allows(action, arn)).toBe(false);
  });

  it('pass roles to no other service', () => {
    const role = `arn:aws:iam::${ACCOUNT_ID}:role/latchkey-staging-global-Role-1A2B3C`;

    expect(allows('iam:PassRole', role, { 'iam:PassedToService': 'ec2.amazonaws.com' })).toBe(false);
  });

  it('allow nothing that no handler calls', () => {
    const ofHandlers = statements.filter(({ Sid }) => !BEYOND_HANDLERS.includes(Sid!));
    const called = [...new Set(Object.values(HANDLER_PERMISSIONS).flat())].filter(isUsed).sort();

    expect(ofHandlers.flatMap(({ Action = [] }) => Action).sort()).toEqual(called);
  });

  it('fit into managed policies, also with the longest prefix', () => {
    for (const policy of policies) {
      const text = JSON.stringify(policy).replaceAll('latchkey', 'p'.repeat(29));
      expect(text.length).toBeLessThanOrEqual(MAX_POLICY_CHARACTERS);
    }
    // A role may have ten.
    expect(policies.length).toBeLessThanOrEqual(10);
    expect(new Set(statements.map(({ Sid }) => Sid)).size).toBe(statements.length);
  });

  it('have a command that uses all of them', () => {
    const [, arns] = /--cloudformation-execution-policies \\\n\s*(\S+)/.exec(PAGE)!;
    const created = [...PAGE.matchAll(/create-policy --policy-name (\S+)/g)].map(([, name]) => name!);

    expect(arns!.split(',')).toEqual(created.map((name) => `arn:aws:iam::111122223333:policy/${name}`));
    expect(created).toHaveLength(policies.length);
  });
});

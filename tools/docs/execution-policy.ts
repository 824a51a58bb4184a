import { DEFAULT_PREFIX } from '../../contract/secret-names';
import { type PolicyDocument, type PolicyStatement } from '../../local/account';
import registry from './handler-permissions.json';

/** The largest managed policy, in characters without white space: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
export const MAX_POLICY_CHARACTERS = 6144;

/**
 * What CloudFormation calls for each type of resource in the templates. For another type:
 * `aws cloudformation describe-type --type RESOURCE --type-name TYPE --query Schema`.
 * @see https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schema.html (handlers)
 */
export const HANDLER_PERMISSIONS: Readonly<Record<string, readonly string[]>> = registry.types;

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

/** Whether a permission of a handler is in the policies. */
export function isUsed(action: string): boolean {
  return !UNUSED.some((pattern) => pattern.test(action));
}

interface Scope {
  readonly actions: RegExp;
  readonly sid: string;
  readonly resources: readonly string[];
  readonly condition?: PolicyStatement['Condition'];
}

/** Which resources a permission is for; the first scope that fits counts. Any partition, AWS region and account. */
function scopes(prefix: string): Scope[] {
  const roles = `arn:*:iam::*:role/${prefix}-*`;
  return [
    {
      // These have no resource types, and DescribeAlarms leaves out composite alarms on any other resource than `*`.
      // https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
      sid: 'Anything',
      actions:
        /^(cloudwatch:DescribeAlarms|kms:CreateKey|logs:(Describe(LogGroups|ResourcePolicies)|\w+QueryDefinitions?)|secretsmanager:GetRandomPassword|sns:(Unsubscribe|\wetSubscriptionAttributes))$/,
      resources: ['*'],
    },
    {
      sid: 'PassRoles',
      actions: /^iam:PassRole$/,
      resources: [roles],
      condition: {
        StringEquals: {
          'iam:PassedToService': ['apigateway', 'events', 'lambda', 'scheduler'].map(
            (service) => `${service}.amazonaws.com`,
          ),
        },
      },
    },
    { sid: 'Roles', actions: /^iam:\w*Role/, resources: [roles] },
    { sid: 'Policies', actions: /^iam:/, resources: [`arn:*:iam::*:policy/${prefix}-*`] },
    { sid: 'Assets', actions: /^s3:/, resources: ['arn:*:s3:::cdk-*-assets-*/*'] },
    { sid: 'Apis', actions: /^apigateway:/, resources: ['arn:*:apigateway:*::/*'] },
    {
      sid: 'Alarms',
      actions: /^cloudwatch:/,
      resources: [`arn:*:cloudwatch:*:*:alarm:${prefix}-*`, `arn:*:cloudwatch::*:dashboard/${prefix}-*`],
    },
    { sid: 'AuditRules', actions: /^events:/, resources: [`arn:*:events:*:*:rule/${prefix}-*`] },
    { sid: 'Keys', actions: /^kms:/, resources: ['arn:*:kms:*:*:key/*'] },
    {
      // https://docs.aws.amazon.com/service-authorization/latest/reference/list_awslambda.html
      sid: 'SignedCodeAndLayers',
      actions: /^lambda:(Get(CodeSigningConfig|LayerVersion)|PutFunctionCodeSigningConfig)$/,
      resources: [
        `arn:*:lambda:*:*:function:${prefix}-*`,
        'arn:*:lambda:*:*:code-signing-config:*',
        'arn:*:lambda:*:*:layer:*',
      ],
    },
    { sid: 'Functions', actions: /^lambda:/, resources: [`arn:*:lambda:*:*:function:${prefix}-*`] },
    { sid: 'LogGroups', actions: /^logs:/, resources: [`arn:*:logs:*:*:log-group:${prefix}-*`] },
    { sid: 'Schedules', actions: /^scheduler:/, resources: [`arn:*:scheduler:*:*:schedule/*/${prefix}-*`] },
    {
      sid: 'Secrets',
      actions: /^secretsmanager:/,
      resources: [`arn:*:secretsmanager:*:*:secret:${prefix}/*`],
    },
    { sid: 'Topics', actions: /^sns:/, resources: [`arn:*:sns:*:*:${prefix}-*`] },
    { sid: 'Queues', actions: /^sqs:/, resources: [`arn:*:sqs:*:*:${prefix}-*`] },
    { sid: 'Parameters', actions: /^ssm:/, resources: [`arn:*:ssm:*:*:parameter/${prefix}/*`] },
    { sid: 'Networks', actions: /^ec2:/, resources: ['*'] },
    {
      sid: 'WebAcls',
      actions: /^wafv2:/,
      resources: ['arn:*:wafv2:*:*:regional/webacl/*', 'arn:*:apigateway:*::/restapis/*/stages/*'],
    },
    {
      sid: 'DnsRecords',
      actions: /^route53:/,
      resources: ['arn:*:route53:::hostedzone/*', 'arn:*:route53:::change/*'],
    },
  ];
}

/** What CloudFormation needs beyond the handlers' permissions. */
const MORE: readonly PolicyStatement[] = [
  {
    // With the first API or domain of an account: https://docs.aws.amazon.com/apigateway/latest/developerguide/using-service-linked-roles.html
    Sid: 'ServiceLinkedRole',
    Effect: 'Allow',
    Action: ['iam:CreateServiceLinkedRole'],
    Resource: ['arn:*:iam::*:role/aws-service-role/ops.apigateway.amazonaws.com/*'],
  },
  {
    // Every template has the version of its bootstrap stack as a parameter.
    Sid: 'BootstrapVersion',
    Effect: 'Allow',
    Action: ['ssm:GetParameters'],
    Resource: ['arn:*:ssm:*:*:parameter/cdk-bootstrap/*'],
  },
  {
    // To encrypt secrets with another key: https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecret.html
    Sid: 'KeysOfSecrets',
    Effect: 'Allow',
    Action: ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey'],
    Resource: ['arn:*:kms:*:*:key/*'],
    Condition: { StringLike: { 'kms:ViaService': 'secretsmanager.*' } },
  },
  {
    // If the bootstrap bucket has a key of its own: https://docs.aws.amazon.com/cdk/v2/guide/ref-cli-cmd-bootstrap.html
    Sid: 'KeyOfAssets',
    Effect: 'Allow',
    Action: ['kms:Decrypt'],
    Resource: ['arn:*:kms:*:*:key/*'],
    Condition: { StringLike: { 'kms:ViaService': 's3.*' } },
  },
];

/**
 * The least policies for the role with which CloudFormation deploys the stacks. As many as IAM's limit requires.
 * @throws {Error} if no scope is known for a permission
 */
export function executionPolicies(prefix: string = DEFAULT_PREFIX): PolicyDocument[] {
  const actions = [...new Set(Object.values(HANDLER_PERMISSIONS).flat())].filter(isUsed).sort();
  const all = scopes(prefix);
  const scoped = actions.map((action) => {
    const scope = all.find((each) => each.actions.test(action));
    if (scope === undefined) throw new Error(`${action}: found no resources for it`);
    return { action, scope };
  });
  const statements = all.map(({ sid, resources, condition }): PolicyStatement => ({
    Sid: sid,
    Effect: 'Allow',
    Action: scoped.filter(({ scope }) => scope.sid === sid).map(({ action }) => action),
    Resource: [...resources],
    ...(condition && { Condition: condition }),
  }));
  return [...statements, ...MORE].reduce<PolicyDocument[]>((policies, statement) => {
    const last = policies.at(-1);
    const extended = policyOf([...((last?.Statement as PolicyStatement[] | undefined) ?? []), statement]);
    if (last !== undefined && sizeOf(extended) <= MAX_POLICY_CHARACTERS)
      return [...policies.slice(0, -1), extended];
    return [...policies, policyOf([statement])];
  }, []);
}

/** IAM does not count white space. */
export function sizeOf(policy: PolicyDocument): number {
  return JSON.stringify(policy).length;
}

function policyOf(statements: PolicyStatement[]): PolicyDocument {
  return { Version: '2012-10-17', Statement: statements };
}

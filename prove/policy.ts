import { RUN_TAG } from '../contract/run-tag';
import { partitionOf } from '../lib/config/aws-regions';
import { RUN_PREFIX } from './run-record';

/** The statements of a policy for one account and region, or for any. */
interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

/** Where the policy is for; every account and every region by default. */
export interface PolicyPlace {
  readonly account?: string | undefined;
  readonly region?: string | undefined;
}

/**
 * The least IAM policy of the caller of `latchkey prove`. Resources have names of runs, or their tag where AWS gives a resource no
 * name. CloudFormation acts with the roles of CDK's bootstrap stack.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
export function callerPolicy({ account = '*', region = '*' }: PolicyPlace = {}): Policy {
  const partition = partitionOf(region);
  const suffix = partition === 'aws-cn' ? 'amazonaws.com*' : 'amazonaws.com';
  const arn = (service: string, resource: string) =>
    `arn:${partition}:${service}:${region}:${account}:${resource}`;
  const role = (name: string) => `arn:${partition}:iam::${account}:role/${name}`;
  const names = `${RUN_PREFIX}*`;
  const secrets = arn('secretsmanager', `secret:${names}`);
  const ofRuns = { [`aws:ResourceTag/${RUN_TAG}`]: names };
  return {
    Version: '2012-10-17',
    Statement: [
      allow(
        'DeployWithCdk',
        ['sts:AssumeRole'],
        ['deploy', 'file-publishing', 'lookup'].map((purpose) => role(`cdk-*-${purpose}-role-*`)),
      ),
      allow('ActInRolesOfRuns', ['sts:AssumeRole'], role(names)),
      allow(
        'ReadSettings',
        ['apigateway:GET', 'iam:ListAttachedRolePolicies', 'ssm:GetParameter'],
        [
          ...['/account', '/restapis/*/stages/*/exports/*'].map(
            (path) => `arn:${partition}:apigateway:${region}::${path}`,
          ),
          role('cdk-*-cfn-exec-role-*'),
          arn('ssm', 'parameter/cdk-bootstrap/*'),
        ],
      ),
      allow('SwitchSchedulesOfRuns', ['iam:PassRole'], role(names), {
        StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
      }),
      // AWS has no narrower resource for these, nor for a secret that does not exist.
      allow(
        'FindWhatIsLeft',
        [
          'cloudwatch:DescribeAlarms',
          'cloudwatch:ListDashboards',
          'iam:ListRoles',
          'kms:ListAliases',
          'lambda:GetAccountSettings',
          'logs:DescribeLogGroups',
          'secretsmanager:DescribeSecret',
          'secretsmanager:ListSecrets',
          'sqs:ListQueues',
          'ssm:DescribeParameters',
          'tag:GetResources',
        ],
        '*',
      ),
      allow(
        'UseSecretsOfRuns',
        [
          'CreateSecret',
          'DeleteSecret',
          'GetSecretValue',
          'ListSecretVersionIds',
          'PutResourcePolicy',
          'PutSecretValue',
          'RemoveRegionsFromReplication',
          'ReplicateSecretToRegions',
          'RotateSecret',
          'TagResource',
          'UpdateSecretVersionStage',
        ].map((action) => `secretsmanager:${action}`),
        secrets,
      ),
      allow('UseKeysOfSecrets', ['kms:Decrypt', 'kms:GenerateDataKey'], arn('kms', 'key/*'), {
        StringLike: {
          'kms:ViaService': `secretsmanager.${region}.${suffix}`,
          'kms:EncryptionContext:SecretARN': secrets,
        },
      }),
      allow(
        'RemoveKeysOfRuns',
        ['kms:DeleteAlias', 'kms:DescribeKey', 'kms:ScheduleKeyDeletion'],
        arn('kms', 'key/*'),
        {
          StringLike: ofRuns,
        },
      ),
      allow(
        'UseAndRemoveWhatHasNames',
        [
          'cloudwatch:DeleteAlarms',
          'cloudwatch:DeleteDashboards',
          'iam:DeleteRole',
          'iam:DeleteRolePolicy',
          'iam:DetachRolePolicy',
          'iam:GetRolePolicy',
          'iam:ListAttachedRolePolicies',
          'iam:ListRolePolicies',
          'kms:DeleteAlias',
          'lambda:InvokeFunction',
          'logs:DeleteLogGroup',
          'logs:FilterLogEvents',
          'scheduler:DeleteSchedule',
          'scheduler:GetSchedule',
          'scheduler:UpdateSchedule',
          'sqs:DeleteMessage',
          'sqs:DeleteQueue',
          'sqs:GetQueueUrl',
          'sqs:ReceiveMessage',
          'ssm:DeleteParameter',
          'ssm:GetParameter',
        ],
        [
          arn('cloudwatch', `alarm:${names}`),
          `arn:${partition}:cloudwatch::${account}:dashboard/${names}`,
          role(names),
          arn('kms', `alias/${names}`),
          arn('lambda', `function:${names}`),
          ...[names, `/${names}`, `/aws/lambda/${names}`, 'API-Gateway-Execution-Logs_*'].map((group) =>
            arn('logs', `log-group:${group}`),
          ),
          arn('scheduler', `schedule/default/${names}`),
          arn('sqs', names),
          arn('ssm', `parameter/${names}`),
        ],
      ),
    ],
  };
}

function allow(
  Sid: string,
  Action: readonly string[],
  Resource: Statement['Resource'],
  Condition?: Statement['Condition'],
): Statement {
  return { Sid, Effect: 'Allow', Action, Resource, ...(Condition && { Condition }) };
}

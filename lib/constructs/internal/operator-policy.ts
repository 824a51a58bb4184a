import { ArnFormat, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import { type DeploymentFile } from '../../../contract/deployment-file';
import { deploymentPath } from '../../../contract/secret-names';
import { acknowledgeWildcards } from './acknowledge-wildcards';
import { type FunctionSchedule } from './function-schedule';
import { type EncryptionKeys, keyStatement } from './key-statement';
import { type RestoreApi } from '../restore/restore-api';
import { credentialArns, secretArnPattern } from './secret-arns';

export interface OperatorPolicyProps extends EncryptionKeys {
  readonly deployment: DeploymentFile;
  /** The functions that operators may invoke. */
  readonly functionArns: string[];
  /** The rotation function. */
  readonly rotateCredentialsArn: string;
  /** The schedules that operators may read and enable. */
  readonly schedules: Pick<FunctionSchedule, 'scheduleArn' | 'roleArn'>[];
  /** The restore API, whose history operators may read. @default none */
  readonly restoreApi?: Pick<RestoreApi, 'grantReadHistory'>;
  /**
   * A restore API in iam mode.
   * @default none: operators restore with the tenant's token, like every caller
   */
  readonly signedRestoreApi?: Pick<RestoreApi, 'grantRestore'>;
}

/** Load, stage and rotate, read and fix the staging labels, and cancel the deletion. */
const LOADING = [
  'secretsmanager:PutSecretValue',
  'secretsmanager:DescribeSecret',
  'secretsmanager:ListSecretVersionIds',
  'secretsmanager:UpdateSecretVersionStage',
  'secretsmanager:RotateSecret',
  'secretsmanager:RestoreSecret',
];

/** A managed policy with exactly the permissions to operate one deployment. Attach it to the roles of your operators. */
export class OperatorPolicy extends Construct {
  readonly managedPolicyArn: string;
  private readonly props: OperatorPolicyProps;

  constructor(scope: Construct, id: string, props: OperatorPolicyProps) {
    super(scope, id);
    this.props = props;
    const { environment, platformRegion } = props.deployment;
    const policy = new iam.ManagedPolicy(this, 'Policy', {
      description: `Allows operating Latchkey on ${environment} ${platformRegion}`,
      statements: this.statements(),
    });
    this.managedPolicyArn = policy.managedPolicyArn;
    acknowledgeWildcards(
      policy,
      [...credentialArns(this, props.deployment).patterns, this.tokenPattern()],
      'The pattern is limited to this deployment’s path; full ARNs would exceed the policy size limit at about 60 tenants.',
    );
    acknowledgeWildcards(
      policy,
      [this.parameterPattern()],
      'The pattern is limited to this deployment’s path, which contains no secret values.',
    );
    acknowledgeWildcards(policy, ['*'], 'With a narrower resource, DescribeAlarms omits composite alarms.');
    props.restoreApi?.grantReadHistory(policy);
    const route = props.signedRestoreApi?.grantRestore(policy).principalStatements ?? [];
    acknowledgeWildcards(
      policy,
      route.flatMap(({ resources }) => resources),
      'The pattern matches one route; tenant and content are parts of its path.',
    );
  }

  /** Grants a principal of this app the same permissions. */
  grantOperate(grantee: iam.IGrantable): void {
    for (const statement of this.statements()) grantee.grantPrincipal.addToPrincipalPolicy(statement);
    this.props.restoreApi?.grantReadHistory(grantee);
    this.props.signedRestoreApi?.grantRestore(grantee);
  }

  private statements(): iam.PolicyStatement[] {
    const { encryptionKeyArn: keyArn, formerKeyArns = [], functionArns } = this.props;
    const { rotateCredentialsArn, schedules } = this.props;
    const { all, keys } = credentialArns(this, this.props.deployment);
    const tokens = [this.tokenPattern()];
    const allow = (actions: string[], resources: string[]) => new iam.PolicyStatement({ actions, resources });
    return [
      // Not GetSecretValue: an operator can load what support sent, but cannot read what others loaded.
      // In one statement, because each ARN counts toward the size of the policy.
      new iam.PolicyStatement({
        actions: LOADING,
        resources: all,
        conditions: this.rotationAsConfigured(),
      }),
      keyStatement(this, {
        keyArn,
        otherKeyArns: [...keys, ...formerKeyArns],
        secretArns: all,
        actions: ['kms:GenerateDataKey', 'kms:Decrypt'],
      }),
      // Cancel the deletion of a token's secret.
      allow(['secretsmanager:RestoreSecret'], tokens),
      // Show tokens, and restore with them.
      allow(['secretsmanager:GetSecretValue'], tokens),
      keyStatement(this, {
        keyArn,
        otherKeyArns: formerKeyArns,
        secretArns: tokens,
        actions: ['kms:Decrypt'],
      }),
      // Request tokens and the state of the deployment; RotateSecret requires the rotation function. Invoked directly, that
      // still promotes only tested credentials.
      allow(['lambda:InvokeFunction'], [...functionArns, rotateCredentialsArn]),
      // Find the functions and other published resources.
      allow(['ssm:GetParameter'], [this.parameterPattern()]),
      // Show the alarms.
      allow(['cloudwatch:DescribeAlarms'], ['*']),
      // Check the schedules and enable a disabled one. An update contains the whole definition, including the role.
      allow(
        ['scheduler:GetSchedule', 'scheduler:UpdateSchedule'],
        schedules.map(({ scheduleArn }) => scheduleArn),
      ),
      new iam.PolicyStatement({
        actions: ['iam:PassRole'],
        resources: schedules.map(({ roleArn }) => roleArn),
        conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      }),
    ];
  }

  /**
   * RotateSecret also sets the function and the schedule of a secret. `IfExists`, because a request need not name them, and
   * the other actions have no such keys.
   * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecretsmanager.html#awssecretsmanager-policy-keys
   */
  private rotationAsConfigured(): iam.Conditions {
    return {
      ArnEqualsIfExists: { 'secretsmanager:RotationLambdaARN': this.props.rotateCredentialsArn },
      BoolIfExists: { 'secretsmanager:ModifyRotationRules': 'false' },
    };
  }

  private tokenPattern(): string {
    return secretArnPattern(this, `${this.root()}/*/token/*`);
  }

  private parameterPattern(): string {
    return Stack.of(this).formatArn({
      service: 'ssm',
      resource: 'parameter',
      resourceName: `${this.root()}/*`,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
  }

  private root(): string {
    return deploymentPath(this.props.deployment.prefix, this.props.deployment);
  }
}

import { ArnFormat, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import { type DeploymentFile } from '../../../contract/deployment-file';
import { deploymentPath, CREDENTIAL_KINDS } from '../../../contract/secret-names';
import { acknowledgeWildcards } from './acknowledge-wildcards';
import { type FunctionSchedule } from './function-schedule';
import { keyStatement } from './key-statement';
import { type RestoreApi } from '../restore/restore-api';
import { secretArnPattern } from './secret-arns';

export interface OperatorPolicyProps {
  readonly deployment: DeploymentFile;
  readonly encryptionKeyArn: string;
  /** The functions that operators start themselves. */
  readonly functionArns: string[];
  /** The function that rotations run. */
  readonly rotateCredentialsArn: string;
  /** Schedules that operators look at, and start again. */
  readonly schedules: Pick<FunctionSchedule, 'scheduleArn' | 'roleArn'>[];
  /**
   * A restore API whose callers sign as AWS principals.
   * @default none: operators restore with the tenant's token, as every caller does
   */
  readonly signedRestoreApi?: Pick<RestoreApi, 'grantRestore'>;
}

/** Exactly the rights that operating one deployment takes. Attach it to the roles of your operators. */
export class OperatorPolicy extends Construct {
  readonly managedPolicyArn: string;
  private readonly props: OperatorPolicyProps;

  constructor(scope: Construct, id: string, props: OperatorPolicyProps) {
    super(scope, id);
    this.props = props;
    const { environment, platformRegion } = props.deployment;
    const policy = new iam.ManagedPolicy(this, 'Policy', {
      description: `Operating Latchkey on ${environment} ${platformRegion}`,
      statements: this.statements(),
    });
    this.managedPolicyArn = policy.managedPolicyArn;
    acknowledgeWildcards(
      policy,
      [...this.credentialPatterns(), this.tokenPattern()],
      'The pattern is limited to this deployment’s path; full ARNs would exceed the policy size limit at about 60 tenants.',
    );
    acknowledgeWildcards(
      policy,
      [this.parameterPattern()],
      'The path is that of this deployment, and nothing secret is below it.',
    );
    acknowledgeWildcards(
      policy,
      ['*'],
      'CloudWatch leaves out composite alarms where DescribeAlarms is given on less than everything.',
    );
    const route = props.signedRestoreApi?.grantRestore(policy).principalStatements ?? [];
    acknowledgeWildcards(
      policy,
      route.flatMap(({ resources }) => resources),
      'The route is one; tenant and content stand in its path.',
    );
  }

  /** Gives a principal of this app the same rights. */
  grantOperate(grantee: iam.IGrantable): void {
    for (const statement of this.statements()) grantee.grantPrincipal.addToPrincipalPolicy(statement);
    this.props.signedRestoreApi?.grantRestore(grantee);
  }

  private statements(): iam.PolicyStatement[] {
    const { encryptionKeyArn: keyArn, functionArns, rotateCredentialsArn, schedules } = this.props;
    const credentials = this.credentialPatterns();
    const tokens = [this.tokenPattern()];
    const allow = (actions: string[], resources: string[]) => new iam.PolicyStatement({ actions, resources });
    return [
      // To load, stage and rotate, and to see and mend the labels that tell how far a rotation is. Not to read: an
      // operator loads what support sent, and cannot take out what others loaded.
      allow(
        [
          'secretsmanager:PutSecretValue',
          'secretsmanager:DescribeSecret',
          'secretsmanager:ListSecretVersionIds',
          'secretsmanager:UpdateSecretVersionStage',
          'secretsmanager:RotateSecret',
        ],
        credentials,
      ),
      keyStatement(this, {
        keyArn,
        secretArns: credentials,
        actions: ['kms:GenerateDataKey', 'kms:Decrypt'],
      }),
      // To show a token to whoever operates it, and to restore with it.
      allow(['secretsmanager:GetSecretValue'], tokens),
      keyStatement(this, { keyArn, secretArns: tokens, actions: ['kms:Decrypt'] }),
      // To ask for fresh tokens and for the state of the deployment.
      allow(['lambda:InvokeFunction'], functionArns),
      // RotateSecret asks for this one. Invoked directly it promotes no more than in a rotation: only what is proven.
      allow(['lambda:InvokeFunction'], [rotateCredentialsArn]),
      // To find the functions and what else the deployment published.
      allow(['ssm:GetParameter'], [this.parameterPattern()]),
      // To show what rings.
      allow(['cloudwatch:DescribeAlarms'], ['*']),
      // To see that the schedules run, and to enable one that was stopped: AWS takes the whole definition, role included.
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

  private credentialPatterns(): string[] {
    return CREDENTIAL_KINDS.map((kind) => secretArnPattern(this, `${this.root()}/*/${kind}`));
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

import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { CREDENTIAL_KINDS, deploymentPath } from '../../../core/secrets/secret-names';
import { deploymentText } from '../../../core/tokens/token-key';
import { acknowledgeWildcards, BY_PATH } from './acknowledge-wildcards';
import { type CredentialRotator } from '../credentials/credential-rotator';
import { type DeploymentSettings, withDeployment } from '../deployment-settings';
import { type CredentialWatch } from '../observability/credential-watch';
import { type RestoreApi } from '../restore/restore-api';
import { type TokenRefresher } from '../tokens/token-refresher';
import { ownerOf, roleNameOf } from './deployment-role';
import { grantStatement } from './grant-statement';
import { type EncryptionKeys, keyStatement, replicaKeyStatements } from './key-statement';
import { credentialArns, tokenArnPattern } from './secret-arns';

export interface OperatorPolicyProps {
  readonly deployment: DeploymentSettings;
  readonly tokenRefresher: TokenRefresher;
  readonly credentialRotator: CredentialRotator;
  readonly credentialWatch: CredentialWatch;
  /** @default none, and no right to read its history or, in iam mode, to restore */
  readonly restoreApi?: RestoreApi;
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
  private readonly deployment: DeploymentFile;
  private readonly keys: EncryptionKeys;

  constructor(scope: Construct, id: string, props: OperatorPolicyProps) {
    super(scope, id);
    withDeployment(this, props);
    this.props = props;
    this.deployment = props.deployment.file;
    this.keys = props.deployment.keys;
    this.managedPolicyArn = this.createPolicy();
  }

  private createPolicy(): string {
    const { path, namePrefix } = this.props.deployment.options.roles;
    const policy = new iam.ManagedPolicy(this, 'Policy', {
      path,
      managedPolicyName: roleNameOf(this, namePrefix, ownerOf(this.props.deployment.file), 'operator'),
      description: `Allows operating Latchkey on ${deploymentText(this.deployment)}`,
      statements: this.statements(),
    });
    acknowledgeWildcards(
      policy,
      [...credentialArns(this, this.deployment).patterns, this.tokenPattern()],
      BY_PATH,
    );
    acknowledgeWildcards(
      policy,
      [this.parameterPattern()],
      'The pattern is limited to this deployment’s path, which contains no secret values.',
    );
    acknowledgeWildcards(policy, ['*'], 'With a narrower resource, DescribeAlarms omits composite alarms.');
    this.props.restoreApi?.grantReadHistory(policy);
    const route = this.signedRestoreApi()?.grantRestore(policy).principalStatements ?? [];
    acknowledgeWildcards(
      policy,
      route.flatMap(({ resources }) => resources),
      'The pattern matches one route; tenant and content are parts of its path.',
    );
    return policy.managedPolicyArn;
  }

  /** Grants a principal of this app the same permissions. */
  grantOperate(grantee: iam.IGrantable): iam.Grant {
    const more = [
      this.props.restoreApi?.grantReadHistory(grantee),
      this.signedRestoreApi()?.grantRestore(grantee),
    ];
    return [
      ...this.statements().map((statement) => grantStatement(grantee, statement)),
      ...more.filter((grant) => grant !== undefined),
    ].reduce((all, grant) => all.combine(grant));
  }

  /** The restore API in iam mode. In platform mode, operators restore with the tenant's token, like every caller. */
  private signedRestoreApi(): RestoreApi | undefined {
    return this.props.deployment.options.restoreApi.auth === 'iam' ? this.props.restoreApi : undefined;
  }

  private statements(): iam.PolicyStatement[] {
    const { encryptionKeyArn: keyArn, formerKeyArns = [] } = this.keys;
    const { tokenRefresher, credentialRotator, credentialWatch } = this.props;
    const schedules = [tokenRefresher.schedule, credentialWatch.schedule, credentialRotator.schedule].filter(
      (schedule) => schedule !== undefined,
    );
    const { all, keys } = credentialArns(this, this.deployment);
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
        isReplicated: this.keys.isReplicated,
      }),
      ...replicaKeyStatements(
        this.keys,
        credentialArns(this, this.deployment, CREDENTIAL_KINDS, '*').patterns,
      ),
      // Cancel the deletion of a token's secret.
      allow(
        [
          'secretsmanager:RestoreSecret',
          // Shows the state of their replicas.
          ...(this.props.deployment.replicas.length > 0 ? ['secretsmanager:DescribeSecret'] : []),
        ],
        tokens,
      ),
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
      allow(
        ['lambda:InvokeFunction'],
        [
          tokenRefresher.tokenRefreshArn,
          tokenRefresher.tokenSweepArn,
          credentialWatch.credentialWatchArn,
          credentialRotator.rotateCredentialsArn,
        ],
      ),
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
      ArnEqualsIfExists: {
        'secretsmanager:RotationLambdaARN': this.props.credentialRotator.rotateCredentialsArn,
      },
      BoolIfExists: { 'secretsmanager:ModifyRotationRules': 'false' },
    };
  }

  private tokenPattern(): string {
    return tokenArnPattern(this, this.deployment);
  }

  private parameterPattern(): string {
    return Stack.of(this).formatArn({
      service: 'ssm',
      resource: 'parameter',
      resourceName: `${deploymentPath(this.deployment.prefix, this.deployment)}/*`,
    });
  }
}

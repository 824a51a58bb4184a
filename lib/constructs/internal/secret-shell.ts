import { Aws, type CfnTag, type RemovalPolicy } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

import { RECORD_TAGS } from '../../../core/rotation/proof-record';
import { type Replica } from '../../options/replica-regions-settings';
import { acknowledge } from './acknowledge';
import { membersOf, ORGANIZATION_ID } from './organization-members';

/** The only principals that may read a secret's value. They also need a policy that allows it. */
export interface OnlyReaders {
  /** ARNs of our functions' roles. May be a list from a parameter. */
  readonly functionRoleArns: string[];
  /** ARNs of other roles and users, with wildcards. */
  readonly principals: readonly string[];
}

interface SecretAccess {
  /** Whether the secret has copies in other AWS regions. They have the same policy, and an ARN of their region. */
  readonly isReplicated?: boolean;
  /** Other accounts that may read the value, in addition to roles of this account with an identity policy. @default none */
  readonly readerAccounts?: readonly string[];
  /** Organizations whose other accounts may all do the same. @default none */
  readonly readerOrganizations?: readonly string[];
  /** @default each principal with an identity policy that allows it */
  readonly onlyReaders?: OnlyReaders;
  /** ARNs of the roles that may write the record of proven keys, which decides what opens the restore API. */
  readonly recorders?: readonly string[];
}

export interface SecretShellProps extends Omit<SecretAccess, 'isReplicated'> {
  readonly secretName: string;
  readonly description: string;
  readonly encryptionKeyArn: string;
  readonly tags: Record<string, string>;
  /** What happens to the secret when its stack is deleted. */
  readonly removalPolicy: RemovalPolicy;
  /**
   * Why Secrets Manager does not rotate the secret on a schedule; a sentence for cdk-nag.
   * @default the secret has a rotation schedule
   */
  readonly noRotationReason?: string;
  /** Other AWS regions to which Secrets Manager copies the secret. @default none */
  readonly replicas?: readonly Replica[];
}

/**
 * A secret without any version, so the CDK never sees its value.
 * L1, because the L2 construct generates a password, and a later change of it in the template would overwrite a live
 * credential.
 */
export class SecretShell extends Construct {
  readonly secretArn: string;

  constructor(scope: Construct, id: string, props: SecretShellProps) {
    super(scope, id);
    const { replicas = [] } = props;
    const secret = new secretsmanager.CfnSecret(this, 'Secret', {
      name: props.secretName,
      description: props.description,
      kmsKeyId: props.encryptionKeyArn,
      replicaRegions: replicas.length === 0 ? undefined : replicas.map(replicaRegion),
      tags: Object.entries(props.tags).map(([key, value]): CfnTag => ({ key, value })),
    });
    secret.applyRemovalPolicy(props.removalPolicy);
    if (props.noRotationReason !== undefined) {
      const rules = ['AwsSolutions-SMG4', 'NIST.800.53.R5-SecretsManagerRotationEnabled'];
      acknowledge(secret, rules, props.noRotationReason);
    }
    this.secretArn = secret.ref;
    new SecretGuard(this, 'Guard', this.secretArn, { ...props, isReplicated: replicas.length > 0 });
  }
}

function replicaRegion({ region, kmsKeyArn }: Replica): secretsmanager.CfnSecret.ReplicaRegionProperty {
  return { region, kmsKeyId: kmsKeyArn };
}

/** The resource policy of every secret: TLS only, never public, and read access for listed accounts and organizations only. */
export class SecretGuard extends Construct {
  constructor(
    scope: Construct,
    id: string,
    secretArn: string,
    {
      readerAccounts = [],
      readerOrganizations = [],
      onlyReaders,
      recorders,
      isReplicated = false,
    }: SecretAccess = {},
  ) {
    super(scope, id);
    const actions = ['secretsmanager:GetSecretValue'];
    // In a resource policy, `*` is the secret itself: https://docs.aws.amazon.com/secretsmanager/latest/userguide/auth-and-access_resource-policies.html
    const resources = isReplicated ? ['*'] : [secretArn];
    const document = new iam.PolicyDocument({
      statements: [
        new iam.PolicyStatement({
          effect: iam.Effect.DENY,
          principals: [new iam.AnyPrincipal()],
          actions: ['secretsmanager:*'],
          resources,
          conditions: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
        ...(recorders === undefined ? [] : [onlyRecordedBy(recorders, resources)]),
        ...(readerAccounts.length === 0
          ? []
          : [
              new iam.PolicyStatement({
                principals: readerAccounts.map((account) => new iam.AccountPrincipal(account)),
                actions,
                resources,
              }),
            ]),
        ...(readerOrganizations.length === 0
          ? []
          : [
              new iam.PolicyStatement({
                principals: [new iam.AnyPrincipal()],
                actions,
                resources,
                conditions: membersOf(readerOrganizations),
              }),
            ]),
        ...exceptReaders(onlyReaders, readerAccounts, readerOrganizations).map(
          (conditions) =>
            new iam.PolicyStatement({
              effect: iam.Effect.DENY,
              principals: [new iam.AnyPrincipal()],
              actions,
              // The secret, also as a copy in another AWS region, which has the same policy and an ARN of that region:
              // https://docs.aws.amazon.com/secretsmanager/latest/userguide/replicate-secrets.html
              resources: ['*'],
              conditions,
            }),
        ),
      ],
    });
    new secretsmanager.CfnResourcePolicy(this, 'Policy', {
      secretId: secretArn,
      // AWS may call a policy for everybody of an organization public: its check does not list this condition key as accepted.
      // https://docs.aws.amazon.com/secretsmanager/latest/userguide/manage_secret-policy.html
      blockPublicPolicy: readerOrganizations.length === 0,
      resourcePolicy: document,
    });
  }
}

/**
 * Denies changing the tags of the record, except to these roles and to CloudFormation. CloudFormation's page says that its
 * requests have `aws:CalledVia` even with an execution role. IAM's page says that those of a service role have none, so the
 * recorders include the CDK's execution role. Services that tag for their callers, such as the tag editor, are denied. The tag
 * `latchkey:kind` stays allowed, because people set it on adopted secrets.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/fas-requests-and-permission-evaluation.html
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-calledvia
 */
function onlyRecordedBy(recorders: readonly string[], resources: string[]): iam.PolicyStatement {
  return new iam.PolicyStatement({
    effect: iam.Effect.DENY,
    principals: [new iam.AnyPrincipal()],
    actions: ['secretsmanager:TagResource', 'secretsmanager:UntagResource'],
    resources,
    conditions: {
      'ForAnyValue:StringEquals': { 'aws:TagKeys': RECORD_TAGS },
      'ForAllValues:StringNotLike': { 'aws:CalledVia': 'cloudformation.amazonaws.com*' },
      ArnNotEquals: { 'aws:PrincipalArn': recorders },
    },
  });
}

/**
 * Conditions of statements that deny everybody except the readers. If organizations may read, there are two: the first leaves out
 * their accounts, and the second covers the secret's own account, which may be one of these. Both leave out AWS services: without
 * a principal ARN, they match the negated conditions. `ArnNotEquals` and `ArnNotLike` mean the same, but a list from a
 * parameter must stand alone.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html#Conditions_ARN
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-principalisawsservice
 */
function exceptReaders(
  onlyReaders: OnlyReaders | undefined,
  readerAccounts: readonly string[],
  readerOrganizations: readonly string[],
): iam.Conditions[] {
  if (onlyReaders === undefined) return [];
  const { functionRoleArns, principals } = onlyReaders;
  const notListed = {
    ArnNotEquals: { 'aws:PrincipalArn': functionRoleArns },
    ArnNotLike: { 'aws:PrincipalArn': principals },
    Bool: { 'aws:PrincipalIsAWSService': 'false' },
  };
  const accounts = readerAccounts.length > 0 && { 'aws:PrincipalAccount': readerAccounts };
  if (readerOrganizations.length === 0)
    return [{ ...notListed, ...(accounts !== false && { StringNotEquals: accounts }) }];
  return [
    { ...notListed, StringNotEquals: { ...accounts, [ORGANIZATION_ID]: readerOrganizations } },
    { ...notListed, StringEquals: { 'aws:PrincipalAccount': Aws.ACCOUNT_ID } },
  ];
}

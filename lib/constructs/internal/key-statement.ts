import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { type IConstruct } from 'constructs';

/** The keys of a deployment's secrets. */
export interface EncryptionKeys {
  /** The key that every secret gets. */
  readonly encryptionKeyArn: string;
  /**
   * Keys that secrets had before: a tenant's stack changes its secrets' key later than the deployment's stack changes the
   * policies. Reading and writing need the key that a secret still has. @default none
   */
  readonly formerKeyArns?: readonly string[];
  /** Whether the secrets have replicas in other AWS regions. @default false */
  readonly isReplicated?: boolean;
  /** Keys of the secrets' replicas in other AWS regions, except the AWS managed ones. @default none */
  readonly replicaKeyArns?: readonly string[];
}

/**
 * The `kms:ViaService` of a service. AWS does not document it for China, and CDK writes it without `.cn` everywhere, so both
 * names are allowed there. Only AWS sets this condition key.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-via-service
 */
export function viaService(
  scope: IConstruct,
  service: 'secretsmanager' | 'sns' | 'sqs',
  region = Stack.of(scope).region,
): string | string[] {
  const name = `${service}.${region}.${Stack.of(scope).urlSuffix}`;
  if (RegionInfo.get(region).partition !== 'aws-cn') return name;
  return [name, `${service}.${region}.amazonaws.com`];
}

/**
 * A policy statement that allows using a key for these secrets, through Secrets Manager only.
 * Not the key's L2 grant: that one changes the key policy, which is limited to 32 KB, and would make the stacks depend
 * on each other in a circle.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html
 */
export function keyStatement(
  scope: IConstruct,
  options: {
    readonly keyArn: string;
    /** Keys of adopted secrets, and keys that versions of the secrets may still have. @default none */
    readonly otherKeyArns?: readonly string[];
    readonly secretArns: string[];
    readonly actions: ('kms:Decrypt' | 'kms:GenerateDataKey')[];
    /** @default the AWS region of the stack */
    readonly region?: string;
    /**
     * Whether writing these secrets also writes replicas. AWS does not say in which region Secrets Manager then decrypts the
     * primary's value, so every region counts. @default false
     */
    readonly isReplicated?: boolean;
  },
): iam.PolicyStatement {
  return new iam.PolicyStatement({
    actions: options.actions,
    resources: [options.keyArn, ...(options.otherKeyArns ?? [])],
    conditions:
      options.isReplicated === true
        ? throughAnyRegion(options.secretArns)
        : {
            StringEquals: { 'kms:ViaService': viaService(scope, 'secretsmanager', options.region) },
            StringLike: { 'kms:EncryptionContext:SecretARN': options.secretArns },
          },
  });
}

/**
 * Policy statements that allow writing the replicas of secrets: Secrets Manager encrypts each new version for them on behalf
 * of the writer. Empty if no replica has a customer managed key. The keys are regional, so the service need not be.
 * @param secretArns in any AWS region
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ReplicateSecretToRegions.html (permissions)
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/cross-account-replicate-permissions.html (on whose behalf)
 */
export function replicaKeyStatements(
  { replicaKeyArns = [] }: EncryptionKeys,
  secretArns: string[],
): iam.PolicyStatement[] {
  if (replicaKeyArns.length === 0) return [];
  return [
    new iam.PolicyStatement({
      actions: ['kms:Encrypt', 'kms:GenerateDataKey'],
      resources: [...replicaKeyArns],
      conditions: throughAnyRegion(secretArns),
    }),
  ];
}

/** The use of a key by Secrets Manager for these secrets, whatever its AWS region. */
function throughAnyRegion(secretArns: string[]): iam.Conditions {
  return {
    StringLike: { 'kms:ViaService': 'secretsmanager.*', 'kms:EncryptionContext:SecretARN': secretArns },
  };
}

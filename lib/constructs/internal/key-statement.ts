import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { type IConstruct } from 'constructs';

/**
 * Lets a principal use a key for these secrets, through Secrets Manager only.
 * An identity statement, not the key's L2 grant: that one writes into the key policy, which ends at 32 KB and would
 * tie the stacks to one another in a circle.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html
 */
export function keyStatement(
  scope: IConstruct,
  options: {
    readonly keyArn: string;
    readonly secretArns: string[];
    readonly actions: ('kms:Decrypt' | 'kms:GenerateDataKey')[];
    /** @default the AWS region of the stack */
    readonly region?: string;
  },
): iam.PolicyStatement {
  const { region, urlSuffix } = Stack.of(scope);
  return new iam.PolicyStatement({
    actions: options.actions,
    resources: [options.keyArn],
    conditions: {
      StringEquals: { 'kms:ViaService': `secretsmanager.${options.region ?? region}.${urlSuffix}` },
      StringLike: { 'kms:EncryptionContext:SecretARN': options.secretArns },
    },
  });
}

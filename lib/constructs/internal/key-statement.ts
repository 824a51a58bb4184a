import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { type IConstruct } from 'constructs';

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
    /** Keys of adopted secrets. @default none */
    readonly adoptedKeyArns?: readonly string[];
    readonly secretArns: string[];
    readonly actions: ('kms:Decrypt' | 'kms:GenerateDataKey')[];
    /** @default the AWS region of the stack */
    readonly region?: string;
  },
): iam.PolicyStatement {
  const { region, urlSuffix } = Stack.of(scope);
  return new iam.PolicyStatement({
    actions: options.actions,
    resources: [options.keyArn, ...(options.adoptedKeyArns ?? [])],
    conditions: {
      StringEquals: { 'kms:ViaService': `secretsmanager.${options.region ?? region}.${urlSuffix}` },
      StringLike: { 'kms:EncryptionContext:SecretARN': options.secretArns },
    },
  });
}

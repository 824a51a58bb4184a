import { type CfnTag, type RemovalPolicy } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

import { acknowledge } from './acknowledge';

export interface SecretShellProps {
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
  /** Other accounts that may read the value, in addition to roles of this account with an identity policy. @default none */
  readonly readerAccounts?: string[];
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
    const secret = new secretsmanager.CfnSecret(this, 'Secret', {
      name: props.secretName,
      description: props.description,
      kmsKeyId: props.encryptionKeyArn,
      tags: Object.entries(props.tags).map(([key, value]): CfnTag => ({ key, value })),
    });
    secret.applyRemovalPolicy(props.removalPolicy);
    if (props.noRotationReason !== undefined) {
      const rules = ['AwsSolutions-SMG4', 'NIST.800.53.R5-SecretsManagerRotationEnabled'];
      acknowledge(secret, rules, props.noRotationReason);
    }
    this.secretArn = secret.ref;
    new SecretGuard(this, 'Guard', this.secretArn, props.readerAccounts);
  }
}

/** The resource policy of every secret: TLS only, never public, and read access for listed accounts only. */
export class SecretGuard extends Construct {
  constructor(scope: Construct, id: string, secretArn: string, readerAccounts: string[] = []) {
    super(scope, id);
    const document = new iam.PolicyDocument({
      statements: [
        new iam.PolicyStatement({
          effect: iam.Effect.DENY,
          principals: [new iam.AnyPrincipal()],
          actions: ['secretsmanager:*'],
          resources: [secretArn],
          conditions: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
        ...(readerAccounts.length === 0
          ? []
          : [
              new iam.PolicyStatement({
                principals: readerAccounts.map((account) => new iam.AccountPrincipal(account)),
                actions: ['secretsmanager:GetSecretValue'],
                resources: [secretArn],
              }),
            ]),
      ],
    });
    new secretsmanager.CfnResourcePolicy(this, 'Policy', {
      secretId: secretArn,
      blockPublicPolicy: true,
      resourcePolicy: document,
    });
  }
}

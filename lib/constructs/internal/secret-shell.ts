import { type CfnTag, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

export interface SecretShellProps {
  readonly secretName: string;
  readonly description: string;
  readonly encryptionKeyArn: string;
  readonly tags: Record<string, string>;
  /** What becomes of the secret when its stack goes. */
  readonly removalPolicy: RemovalPolicy;
  /**
   * How the value is replaced where Secrets Manager does not do it on a schedule: the acknowledgement's reason.
   * @default the secret has a rotation schedule
   */
  readonly unscheduled?: string;
  /** Accounts that may read the value, besides roles of this account with an identity policy. @default none */
  readonly readerAccounts?: string[];
}

/**
 * A secret without any version, whose value CDK never sees.
 * L1 on purpose: the L2 construct generates a password, which would authenticate, and a later change of a template's
 * value would overwrite a live credential.
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
    if (props.unscheduled !== undefined) {
      Validations.of(secret).acknowledge({
        id: 'AwsSolutions::AwsSolutions-SMG4',
        reason: `Replaced ${props.unscheduled}.`,
      });
    }
    this.secretArn = secret.ref;
    new SecretGuard(this, 'Guard', this.secretArn, props.readerAccounts);
  }
}

/** The resource policy of every secret: TLS only, never public, and reading by named accounts only. */
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

import { RemovalPolicy } from 'aws-cdk-lib';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

import { KIND_TAG } from '../../../contract/credential-labels';
import { credentialSecretName, type CredentialKind } from '../../../contract/secret-names';
import { type TenantKey } from '../../../contract/token-key';
import { SecretGuard, SecretShell } from '../internal/secret-shell';

export interface CredentialSecretProps {
  readonly prefix: string;
  readonly tenant: TenantKey;
  readonly kind: CredentialKind;
  readonly encryptionKeyArn: string;
  readonly rotation: {
    /** The function that takes the four steps. */
    readonly functionArn: string;
    /** Cron in UTC as Secrets Manager takes it, or `none`: then only when somebody asks for it. */
    readonly schedule: string;
  };
  /**
   * A secret of this name that exists already, for example since an earlier stack was destroyed or rolled back.
   * Its value and tags stay as they are; its resource policy and rotation are set.
   * @default a new secret without any version is created
   */
  readonly adoptedSecretArn?: string;
}

/**
 * The place of a credential that the platform issued: client id and secret, or an API key. Operators load it and stage
 * its successors, which rotate-credentials proves and makes current.
 * Retained when the stack goes, since nobody but the platform's support could issue it anew.
 */
export class CredentialSecret extends Construct {
  readonly secretArn: string;

  constructor(scope: Construct, id: string, props: CredentialSecretProps) {
    super(scope, id);
    this.secretArn =
      props.adoptedSecretArn === undefined
        ? this.createSecret(props)
        : this.adoptSecret(props, props.adoptedSecretArn);
    this.rotateBy(props.rotation);
  }

  private createSecret({ prefix, tenant, kind, encryptionKeyArn, rotation }: CredentialSecretProps): string {
    return new SecretShell(this, 'Shell', {
      secretName: credentialSecretName(prefix, tenant, kind),
      description: `${kind} of ${tenant.tenantId} on ${tenant.environment} ${tenant.platformRegion}`,
      encryptionKeyArn,
      tags: { [KIND_TAG]: kind },
      removalPolicy: RemovalPolicy.RETAIN,
      unscheduled:
        rotation.schedule === 'none'
          ? 'by rotations that operators start, as configuration has it: only people can get a new one'
          : undefined,
    }).secretArn;
  }

  private adoptSecret({ prefix, tenant, kind }: CredentialSecretProps, secretArn: string): string {
    const secretName = credentialSecretName(prefix, tenant, kind);
    if (!secretArn.slice(0, -7).endsWith(`:secret:${secretName}`)) {
      throw new Error(`adopted secret: found ${secretArn}; allowed: the ARN of a secret named ${secretName}`);
    }
    new SecretGuard(this, 'Guard', secretArn);
    return secretArn;
  }

  /**
   * Nothing is rotated at deployment; AWS only tests the configuration then. L1, since the L2 construct gives rights on every
   * secret. Cron, since with `rate()` a planned rotation takes place although the schedule was changed.
   * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-secretsmanager-rotationschedule-rotationrules.html
   */
  private rotateBy({ functionArn, schedule }: CredentialSecretProps['rotation']): void {
    new secretsmanager.CfnRotationSchedule(new Construct(this, 'Rotation'), 'Resource', {
      secretId: this.secretArn,
      rotationLambdaArn: functionArn,
      rotateImmediatelyOnUpdate: false,
      rotationRules: schedule === 'none' ? undefined : { scheduleExpression: schedule },
    });
  }
}

import { RemovalPolicy } from 'aws-cdk-lib';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

import { KIND_TAG } from '../../../core/secrets/credential-labels';
import { credentialSecretName, type CredentialKind } from '../../../core/secrets/secret-names';
import { type TenantKey } from '../../../core/tokens/published-keys';
import { deploymentText } from '../../../core/tokens/token-key';
import { hasLatchkeyName } from '../../options/adoption';
import { type Replica } from '../../options/replica-regions-settings';
import { type OnlyReaders, SecretGuard, SecretShell } from '../internal/secret-shell';

export interface CredentialSecretProps {
  readonly prefix: string;
  readonly tenant: TenantKey;
  readonly kind: CredentialKind;
  readonly encryptionKeyArn: string;
  readonly rotation: {
    /** The rotation function. */
    readonly functionArn: string;
    /** Cron expression in UTC for Secrets Manager, or `none` to rotate only on request. */
    readonly schedule: string;
  };
  /** Who may read the value. @default IAM policies decide */
  readonly onlyReaders?: OnlyReaders;
  /** ARNs of the roles that may tag the secret as proven or refused. @default IAM policies decide */
  readonly recorders?: readonly string[];
  /**
   * An existing secret, for example of a destroyed stack. It gets the rotation, and keeps its value and tags. It gets the resource
   * policy only if it has the name that Latchkey would give it; any other secret keeps its own.
   * @default a new secret without any version is created
   */
  readonly adoptedSecretArn?: string;
  /** AWS regions to which a new secret is replicated; an adopted one is not. @default none */
  readonly replicas?: readonly Replica[];
}

/**
 * The secret of a credential that the platform issued: client id and client secret, or an API key. Operators load it
 * and stage new ones, which rotate-credentials tests and makes current.
 * Retained when the stack is deleted, because only the platform's support can issue a new credential.
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

  private createSecret(props: CredentialSecretProps): string {
    const { prefix, tenant, kind } = props;
    return new SecretShell(this, 'Shell', {
      ...props,
      secretName: credentialSecretName(prefix, tenant, kind),
      description: `${kind} of ${tenant.tenantId} on ${deploymentText(tenant)}`,
      tags: { [KIND_TAG]: kind },
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      noRotationReason:
        props.rotation.schedule === 'none'
          ? 'Rotated by operators, as configured, because only people can get a new credential.'
          : undefined,
    }).secretArn;
  }

  private adoptSecret(props: CredentialSecretProps, secretArn: string): string {
    if (hasLatchkeyName(secretArn, props.prefix, props.tenant, props.kind))
      new SecretGuard(this, 'Guard', secretArn, {
        onlyReaders: props.onlyReaders,
        recorders: props.recorders,
      });
    return secretArn;
  }

  /**
   * Deploying this rotates nothing; AWS only tests the configuration. L1, because the L2 construct grants permissions on
   * every secret. Cron, because with `rate()` a planned rotation still runs after the schedule was changed.
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

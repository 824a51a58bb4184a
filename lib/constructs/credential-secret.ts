import { RemovalPolicy } from 'aws-cdk-lib';
import { Construct } from 'constructs';

import { credentialSecretName, type CredentialKind } from '../../contract/secret-names';
import { type TenantKey } from '../../contract/token-key';
import { SecretGuard, SecretShell } from './secret-shell';

export interface CredentialSecretProps {
  readonly prefix: string;
  readonly tenant: TenantKey;
  readonly kind: CredentialKind;
  readonly encryptionKeyArn: string;
  /**
   * A secret of this name that exists already, for example since an earlier stack was destroyed or rolled back.
   * It is used as it is; only its resource policy is set.
   * @default a new secret without any version is created
   */
  readonly adoptedSecretArn?: string;
}

/**
 * The place of a credential that the platform issued: client id and secret, or an API key. Operators load it.
 * Retained when the stack goes, since nobody but the platform's support could issue it anew.
 */
export class CredentialSecret extends Construct {
  readonly secretArn: string;

  constructor(scope: Construct, id: string, props: CredentialSecretProps) {
    super(scope, id);
    const { prefix, tenant, kind, adoptedSecretArn } = props;
    const secretName = credentialSecretName(prefix, tenant, kind);
    if (adoptedSecretArn !== undefined) {
      if (!adoptedSecretArn.slice(0, -7).endsWith(`:secret:${secretName}`)) {
        throw new Error(
          `adopted secret: found ${adoptedSecretArn}; allowed: the ARN of a secret named ${secretName}`,
        );
      }
      this.secretArn = adoptedSecretArn;
      new SecretGuard(this, 'Guard', adoptedSecretArn);
      return;
    }
    this.secretArn = new SecretShell(this, 'Shell', {
      secretName,
      description: `${kind} of ${tenant.tenantId} on ${tenant.environment} ${tenant.platformRegion}`,
      encryptionKeyArn: props.encryptionKeyArn,
      tags: { 'latchkey:kind': kind },
      removalPolicy: RemovalPolicy.RETAIN,
      rotation: 'by operators: only the platform’s support or an administrator can issue it',
    }).secretArn;
  }
}

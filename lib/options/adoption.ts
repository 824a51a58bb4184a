import {
  type AdoptedSecret,
  adoptedSecret,
  type DeploymentFile,
} from '../../core/deployment/deployment-file';
import { type CredentialKind, credentialSecretName } from '../../core/secrets/secret-names';
import { type DeploymentKey, type TenantKey, tenantKeyOf } from '../../core/tokens/token-key';

/** The name of the secret with this full ARN, which ends with `-` and six characters. */
export function secretNameOf(arn: string): string {
  return arn.split(':').slice(6).join(':').slice(0, -7);
}

/** An adopted secret whose name is not the one that Latchkey would give it. */
export interface RenamedSecret extends AdoptedSecret {
  tenantId: string;
  kind: CredentialKind;
}

/** The adopted secrets of a deployment that its path patterns do not cover, because of their names. */
export function renamedSecrets(
  deployment: DeploymentKey & Pick<DeploymentFile, 'prefix' | 'tenants'>,
  kinds: readonly CredentialKind[],
): RenamedSecret[] {
  const { prefix, tenants } = deployment;
  return tenants.flatMap((tenant) =>
    kinds.flatMap((kind) => {
      const { tenantId } = tenant;
      const secret = adoptedSecret({ tenants: [tenant] }, { tenantId }, kind);
      const isRenamed =
        secret && !hasLatchkeyName(secret.arn, prefix, tenantKeyOf(deployment, tenantId), kind);
      return isRenamed ? [{ ...secret, tenantId, kind }] : [];
    }),
  );
}

/** Whether a secret has the name that Latchkey would give it. */
export function hasLatchkeyName(
  arn: string,
  prefix: string,
  tenant: TenantKey,
  kind: CredentialKind,
): boolean {
  return secretNameOf(arn) === credentialSecretName(prefix, tenant, kind);
}

/**
 * Characters of the ARNs that policies name one by one: of renamed adopted secrets, former keys and replica keys. The operator
 * policy has the least room: IAM allows 6,144 characters, it takes up to 4,300 without these, and it names each ARN twice.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 */
export const MAX_NAMED_ARNS_LENGTH = 800;

/** The part of {@link MAX_NAMED_ARNS_LENGTH} that a secret and its key take. */
export function arnsLength({ arn, kmsKeyArn = '' }: Pick<AdoptedSecret, 'arn' | 'kmsKeyArn'>): number {
  return arn.length + kmsKeyArn.length;
}

import { type Account, type Key, type Secret } from '../../account';
import { authorize } from '../../iam/authorize';
import { AwsError } from '../aws-error';
import { type Call } from '../operation';

/**
 * Checks that the caller may use the secret's customer key through Secrets Manager, which calls KMS on the caller's behalf.
 * The account's default key is available to everyone in the account this way.
 * @throws {AwsError} AccessDeniedException with Secrets Manager's message, followed by KMS's own, which AWS does not show
 * @see Secrets Manager user guide, security-encryption (permissions for the KMS key, encryption context)
 */
export function requireKeyAccess(
  call: Call,
  secret: Secret,
  versionId: string,
  actions: readonly ('kms:Decrypt' | 'kms:GenerateDataKey')[],
): void {
  if (secret.kmsKeyArn === undefined) return;
  if (call.principal.kind === 'service')
    throw new AwsError('AccessDeniedException', 'Access to KMS is not allowed');
  const key = findKey(call.account, secret.kmsKeyArn);
  for (const action of actions) {
    const decision = authorize(call.account, {
      principal: call.principal,
      action,
      resource: key?.arn ?? secret.kmsKeyArn,
      resourceAccount: secret.kmsKeyArn.split(':')[4] || call.account.accountId,
      resourcePolicy: key?.policy,
      context: {
        'kms:ViaService': `secretsmanager.${call.account.region}.amazonaws.com`,
        'kms:CallerAccount': call.principal.accountId,
        'kms:EncryptionContext:SecretARN': secret.arn,
        'kms:EncryptionContext:SecretVersionId': versionId,
        'kms:EncryptionContextKeys': ['SecretARN', 'SecretVersionId'],
      },
    });
    if (!decision.allowed) {
      throw new AwsError('AccessDeniedException', `Access to KMS is not allowed (${decision.message})`);
    }
  }
}

/** Finds a key by its ARN, or by an alias name or ARN. */
function findKey(account: Account, keyId: string): Key | undefined {
  const alias = /(?:^|:)(alias\/.+)$/.exec(keyId)?.[1];
  return account.keys.get(alias === undefined ? keyId : (account.keyAliases.get(alias) ?? ''));
}

import { type Account, type Secret, type SecretVersion } from '../../account';
import { authorize } from '../../iam/authorize';
import { accessDenied, AwsError } from '../aws-error';
import { type Call } from '../operation';

/** The account's default key, which is available to everyone in the account through Secrets Manager. */
export const DEFAULT_KEY = 'aws/secretsmanager';
/** The labels of the versions that a change of the key re-encrypts. */
const RE_ENCRYPTED = ['AWSCURRENT', 'AWSPENDING', 'AWSPREVIOUS'];

type Caller = Pick<Call, 'account' | 'principal'>;
type KeyAction = 'kms:Decrypt' | 'kms:GenerateDataKey';

/** The key with which a secret encrypts new versions. */
export function keyOf({ kmsKeyArn = DEFAULT_KEY }: Secret): string {
  return kmsKeyArn;
}

/**
 * Checks that the caller may use a customer key through Secrets Manager, which calls KMS on the caller's behalf.
 * @param keyId the secret's key, or another that encrypts the version
 * @throws {AwsError} AccessDeniedException with Secrets Manager's message, followed by KMS's own, which AWS does not show
 * @see Secrets Manager user guide, security-encryption (permissions for the KMS key, encryption context)
 */
export function requireKeyAccess(
  caller: Caller,
  secret: Secret,
  versionId: string,
  actions: readonly KeyAction[],
  keyId = keyOf(secret),
): void {
  if (keyId === DEFAULT_KEY) return;
  if (caller.principal.kind === 'service') throw accessDenied('Access to KMS is not allowed');
  const denial = keyDenial(caller, keyId, actions, {
    'kms:ViaService': `secretsmanager.${caller.account.region}.amazonaws.com`,
    'kms:EncryptionContext:SecretARN': secret.arn,
    'kms:EncryptionContext:SecretVersionId': versionId,
    'kms:EncryptionContextKeys': ['SecretARN', 'SecretVersionId'],
  });
  if (denial !== undefined) throw accessDenied(`Access to KMS is not allowed (${denial})`);
}

/**
 * Why the caller may not use a customer key through a service; undefined if it may.
 * @param keyId ARN of the key or of an alias
 */
export function keyDenial(
  { account, principal }: Caller,
  keyId: string,
  actions: readonly (KeyAction | 'kms:Encrypt')[],
  context: Record<string, string | string[]>,
): string | undefined {
  if (principal.kind === 'service') return `${principal.service} has no grant for ${keyId}`;
  const key = account.keys.get(account.kmsKeyArn(keyId) ?? '');
  const resourceAccount = keyId.split(':')[4] || account.accountId;
  if (!key && resourceAccount === account.accountId) return `${keyId} does not exist`;
  for (const action of actions) {
    const decision = authorize(account, {
      principal,
      action,
      resource: key?.arn ?? keyId,
      resourcePolicy: key?.policy,
      context: { ...context, 'kms:CallerAccount': principal.accountId },
    });
    if (!decision.allowed) return decision.message;
  }
  return undefined;
}

/** Checks that the caller may decrypt a version with one of its keys. @throws {AwsError} AccessDeniedException */
export function requireDecryption(call: Caller, secret: Secret, version: SecretVersion): void {
  const [first = keyOf(secret), ...others] = version.keyIds ?? [];
  const requireKey = (keyId: string): void =>
    requireKeyAccess(call, secret, version.versionId, ['kms:Decrypt'], keyId);
  // If no key may be used, the error names the first.
  if (!others.some((keyId) => isAccepted(() => requireKey(keyId)))) requireKey(first);
}

/** Whether the caller may decrypt a version with one of its keys. */
export function mayDecrypt(call: Caller, secret: Secret, version: SecretVersion): boolean {
  return isAccepted(() => requireDecryption(call, secret, version));
}

/** Whether a check does not throw an {@link AwsError}. */
function isAccepted(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof AwsError) return false;
    throw error;
  }
}

/**
 * Changes a secret's key. Either key then decrypts the versions with AWS's labels, if the caller may decrypt them. All
 * others keep their former key alone.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/manage_update-encryption-key.html
 */
export function changeKey(call: Caller, secret: Secret, kmsKeyArn: string | undefined): void {
  for (const version of secret.versions.values()) {
    version.keyIds ??= [keyOf(secret)];
    if (RE_ENCRYPTED.some((label) => version.stages.has(label)) && mayDecrypt(call, secret, version))
      version.keyIds = [...new Set([kmsKeyArn ?? DEFAULT_KEY, ...version.keyIds])];
  }
  secret.kmsKeyArn = kmsKeyArn;
}

/** The ARN of a key or alias by any of its names; undefined for an empty one, which is the account's default key. */
export function keyArnOf(account: Account, keyId: string | undefined): string | undefined {
  return keyId ? account.kmsArn(keyId) : undefined;
}

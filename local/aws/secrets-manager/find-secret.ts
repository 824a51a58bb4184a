import { type Secret } from '../../account';
import { AwsError } from '../aws-error';
import { type Input } from '../input';
import { type Call, requireAllowed } from '../operation';

/**
 * Finds a secret by ARN, by name, or by an ARN without its last six characters, and checks that the caller is allowed
 * `action` on it. Permissions are checked first, so that callers without any cannot find out which secrets exist.
 * @throws {AwsError} AccessDeniedException or ResourceNotFoundException
 * @see Secrets Manager user guide, troubleshoot (finding a secret from a partial ARN) and auth-and-access
 */
export function openSecret(
  input: Input,
  call: Call,
  action: string,
  context: Record<string, string | readonly string[]> = {},
): Secret {
  const secretId = input.text('SecretId', { max: 2048 });
  const secret = findSecret(call, secretId);
  requireAllowed(call, {
    action: `secretsmanager:${action}`,
    resource: secret?.arn ?? secretId,
    resourcePolicy: secret?.resourcePolicy,
    context: { 'secretsmanager:SecretId': secretId, ...(secret ? secretContext(secret) : {}), ...context },
  });
  if (!secret)
    throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  return secret;
}

/** @throws {AwsError} InvalidRequestException if the secret is scheduled for deletion */
export function requireNotDeleted(secret: Secret): void {
  if (secret.deletedAtMs === undefined) return;
  throw new AwsError(
    'InvalidRequestException',
    "You can't perform this operation on the secret because it was marked for deletion.",
  );
}

/** Removes the secrets whose recovery window has ended. */
export function removeExpiredSecrets({ account, clock }: Pick<Call, 'account' | 'clock'>): void {
  for (const [arn, { purgeAtMs }] of account.secrets) {
    if (purgeAtMs !== undefined && clock.nowMs() >= purgeAtMs) account.secrets.delete(arn);
  }
}

function findSecret(call: Call, secretId: string): Secret | undefined {
  removeExpiredSecrets(call);
  const exact = call.account.secrets.get(secretId);
  if (exact) return exact;
  const isPartial = (arn: string) => arn.startsWith(`${secretId}-`) && arn.length === secretId.length + 7;
  return [...call.account.secrets.values()].find(
    ({ arn, name }) => name === secretId || (secretId.startsWith('arn:') && isPartial(arn)),
  );
}

function secretContext(secret: Secret): Record<string, string> {
  const tags = Object.entries(secret.tags);
  return {
    ...Object.fromEntries(tags.map(([key, value]) => [`aws:ResourceTag/${key}`, value])),
    ...Object.fromEntries(tags.map(([key, value]) => [`secretsmanager:ResourceTag/${key}`, value])),
    ...(secret.rotation
      ? { 'secretsmanager:resource/AllowRotationLambdaArn': secret.rotation.lambdaArn }
      : {}),
  };
}

import { type Account, type Secret } from '../../account';
import { randomText } from '../../random-text';
import { requireAllowed } from '../../iam/authorize';
import { type RequestContext } from '../../iam/context-keys';
import { type AwsError, invalidRequest, resourceNotFound, validationError } from '../aws-error';
import { type Input } from '../input';
import { type Call } from '../operation';
import { requirePrimary } from './replication';

/** The operations that replicas allow. UpdateSecret itself refuses to change anything but their key. */
const ON_REPLICAS = [
  'DescribeSecret',
  'GetSecretValue',
  'ListSecretVersionIds',
  'StopReplicationToReplica',
  'UpdateSecret',
];

/**
 * Finds a secret as {@link findSecret} does, and checks that the caller is allowed `action` on it. Permissions are checked first, so that callers without any cannot find out which secrets exist.
 * @throws {AwsError} AccessDeniedException or ResourceNotFoundException
 * @see Secrets Manager user guide, troubleshoot (finding a secret from a partial ARN) and auth-and-access
 */
export function openSecret(input: Input, call: Call, action: string, context: RequestContext = {}): Secret {
  const secretId = readSecretId(input);
  const secret = findSecret(call, secretId);
  requireSecretAllowed(call, secretId, secret, action, context);
  if (!secret) throw notFound();
  if (!ON_REPLICAS.includes(action)) requirePrimary(secret);
  return secret;
}

export function notFound(): AwsError {
  return resourceNotFound("Secrets Manager can't find the specified secret.");
}

/** @throws {AwsError} ValidationException if it is neither an ARN nor a possible name */
export function readSecretId(input: Input): string {
  const secretId = input.text('SecretId', { max: 2048 });
  if (!secretId.startsWith('arn:')) requireValidName(secretId);
  return secretId;
}

/** @throws {AwsError} ValidationException */
export function requireValidName(name: string): void {
  if (/^[\w/+=.@!-]+$/.test(name)) return;
  throw validationError(
    'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
  );
}

/** Checks that the caller is allowed `action` on a secret, or on `secretId` if there is no such secret. @throws {AwsError} AccessDeniedException */
export function requireSecretAllowed(
  call: Call,
  secretId: string,
  secret: Secret | undefined,
  action: string,
  context: RequestContext = {},
): void {
  requireAllowed(call, {
    action: `secretsmanager:${action}`,
    resource: secret?.arn ?? secretId,
    resourcePolicy: secret?.resourcePolicy,
    context: { 'secretsmanager:SecretId': secretId, ...(secret && secretContext(secret)), ...context },
  });
}

/** @throws {AwsError} InvalidRequestException if the secret is scheduled for deletion */
export function requireNotDeleted(secret: Secret): void {
  if (secret.deletedAtMs === undefined) return;
  throw invalidRequest("You can't perform this operation on the secret because it was marked for deletion.");
}

/** Removes the secrets whose recovery window has ended. */
export function removeExpiredSecrets({ account, clock }: Pick<Call, 'account' | 'clock'>): void {
  const { secrets } = account;
  for (const arn of secrets.inDeletion) {
    const purgeAtMs = secrets.get(arn)?.purgeAtMs;
    if (purgeAtMs !== undefined && clock.nowMs() >= purgeAtMs) secrets.delete(arn);
  }
}

/** Finds a secret by ARN, by name, or by an ARN without its last six characters. */
export function findSecret(call: Call, secretId: string): Secret | undefined {
  const named = findByName(call, secretId);
  if (named || !secretId.startsWith('arn:')) return named;
  const { secrets } = call.account;
  const secret = secrets.get(secretId);
  if (secret) return secret;
  const [name] = /(?<=^(?:[^:]*:){6}).*$/.exec(secretId) ?? [];
  const namedSecret = secrets.named(name ?? '');
  return namedSecret?.arn.startsWith(`${secretId}-`) === true ? namedSecret : undefined;
}

export function findByName(call: Pick<Call, 'account' | 'clock'>, name: string): Secret | undefined {
  removeExpiredSecrets(call);
  return call.account.secrets.named(name);
}

function secretContext({ tags, rotation }: Secret): RequestContext {
  const entries = Object.entries(tags).flatMap(([key, value]) => [
    [`aws:ResourceTag/${key}`, value],
    [`secretsmanager:ResourceTag/${key}`, value],
  ]);
  return {
    ...(Object.fromEntries(entries) as RequestContext),
    'secretsmanager:resource/AllowRotationLambdaArn': rotation?.lambdaArn,
  };
}

/** The ARN of a new secret: its name, a hyphen and six random characters. An ARN is returned as it is. */
export function newSecretArn(account: Account, name: string): string {
  if (name.startsWith('arn:')) return name;
  return account.arn('secretsmanager', `secret:${name}-${randomText(6)}`);
}

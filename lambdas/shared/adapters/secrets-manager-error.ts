import { SecretsManagerServiceException } from '@aws-sdk/client-secrets-manager';

import { StoreError, type StoreFailure } from '../domain/store-error';

const FAILURES: Record<string, StoreFailure> = {
  ThrottlingException: 'throttled',
  TooManyRequestsException: 'throttled',
  AccessDeniedException: 'access_denied',
  DecryptionFailure: 'access_denied',
  EncryptionFailure: 'access_denied',
  ResourceNotFoundException: 'not_found',
  LimitExceededException: 'limit_exceeded',
  InvalidParameterException: 'malformed',
  ValidationException: 'malformed',
  // Of what we send, only a secret that is scheduled for deletion makes a request invalid.
  InvalidRequestException: 'scheduled_for_deletion',
};

/** What the name of a failure does not say. */
const EXPLANATIONS: Partial<Record<StoreFailure, string>> = {
  not_found: ': the stack that makes this secret is not deployed',
  scheduled_for_deletion:
    ': the secret is scheduled for deletion; aws secretsmanager restore-secret keeps it',
  limit_exceeded: ': the secret has as many versions of the last 24 hours as it may have',
};

/**
 * What a failed call means for us. The message is made anew: of AWS's text only the action and the resource
 * that a denial names are kept.
 * @param action as IAM names it, such as `secretsmanager:GetSecretValue`
 */
export function storeErrorOf(error: unknown, action: string, secretId: string): StoreError {
  const isKnown = error instanceof SecretsManagerServiceException;
  const failure = (isKnown ? FAILURES[error.name] : undefined) ?? 'unavailable';
  if (failure === 'access_denied') {
    const message = `${action} on ${secretId} was denied: the role may not ${deniedIn(error, action)}`;
    return new StoreError(failure, message, { cause: error });
  }
  const name = error instanceof Error ? error.name : 'no error';
  const reason = name === 'AbortError' ? 'no answer in time' : `${name}${EXPLANATIONS[failure] ?? ''}`;
  return new StoreError(failure, `${action} on ${secretId} failed: ${reason}`, { cause: error });
}

/**
 * The rights that AWS says are missing; none where it names none, for Secrets Manager does not name that of the key,
 * which it uses in the role's name. Where the resource is no ARN, there may be no such secret: a right on an ARN does
 * not cover the bare name, which is all that AWS has of a secret that does not exist.
 */
export function denialsIn(error: unknown): { action: string; resource: string }[] {
  if (!(error instanceof Error)) return [];
  const denials = error.message.matchAll(/to perform: (\S+) on (?:the )?resource:? (\S+)/g);
  return [...denials].map(([, action, resource]) => ({ action: action!, resource: resource! }));
}

function deniedIn(error: unknown, action: string): string {
  const denials = denialsIn(error);
  if (denials.length === 0) {
    const keyAction = action === 'secretsmanager:PutSecretValue' ? 'kms:GenerateDataKey' : 'kms:Decrypt';
    return `${keyAction} with the secret's key, or the key is not enabled`;
  }
  const denied = denials.map((denial) => `${denial.action} on ${denial.resource}`).join(', ');
  const isMissing = denials.every(({ resource }) => !resource.startsWith('arn:'));
  return isMissing ? `${denied}, or there is no such secret` : denied;
}

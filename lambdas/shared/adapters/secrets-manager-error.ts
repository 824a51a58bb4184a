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
  // Of what we send, only a secret that is scheduled for deletion makes a request invalid.
  InvalidRequestException: 'scheduled_for_deletion',
};

/**
 * What a failed call means for us. The message is made anew: of AWS's text only the action and the resource
 * that a denial names are kept.
 * @param action as IAM names it, such as `secretsmanager:GetSecretValue`
 */
export function storeErrorOf(error: unknown, action: string, secretId: string): StoreError {
  const isKnown = error instanceof SecretsManagerServiceException;
  const failure = (isKnown ? FAILURES[error.name] : undefined) ?? 'unavailable';
  const name = error instanceof Error ? error.name : 'no error';
  if (failure !== 'access_denied') {
    return new StoreError(failure, `${action} on ${secretId} failed: ${name}`, { cause: error });
  }
  const denials = [...(error as Error).message.matchAll(/to perform: (\S+) on (?:the )?resource:? (\S+)/g)]
    .map(([, deniedAction, resource]) => `${deniedAction} on ${resource}`)
    .join(', ');
  const denied = denials === '' ? `use the secret's KMS key` : denials;
  return new StoreError(failure, `${action} on ${secretId} was denied: the role may not ${denied}`, {
    cause: error,
  });
}

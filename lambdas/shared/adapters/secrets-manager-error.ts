import { SecretsManagerServiceException } from '@aws-sdk/client-secrets-manager';

import {
  type AwsErrorMeaning,
  denialsIn,
  describeDenial,
  isWithoutArn,
  meaningOfAwsError,
} from '../../../core/calls/aws-errors';
import { vpcEndpointName } from '../../../core/deployment/vpc-endpoints';
import { type SecretFailure } from '../../../core/deployment/deployment-snapshot';
import { StoreError } from '../../../core/secrets/store-error';

/** Causes that the name of the error does not say. */
const EXPLANATIONS: Partial<Record<AwsErrorMeaning, string>> = {
  not_found: ': the stack that creates this secret is not deployed',
  scheduled_for_deletion: ': the secret is scheduled for deletion; to keep it, run latchkey doctor --fix',
  limit_exceeded: ': the secret has too many versions from the last 24 hours',
};

const UNANSWERED = new Set(['AbortError', 'TimeoutError']);

export function isUnanswered(error: unknown): error is Error {
  return error instanceof Error && UNANSWERED.has(error.name);
}

/**
 * What is usually missing if no answer comes in a VPC.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/vpc-endpoint-overview.html
 */
function endpointHint(action: string): string {
  const { AWS_REGION: region } = process.env;
  if (region === undefined) return '';
  const name = vpcEndpointName(region, action.split(':')[0]!);
  return ` (a function in a VPC needs the endpoint ${name}, or another way there)`;
}

/**
 * Converts the error of a failed call. Of AWS's message it keeps only the actions and resources of a denial.
 * @param action the IAM action, such as `secretsmanager:GetSecretValue`
 */
export function storeErrorOf(error: unknown, action: string, secretId: string): StoreError {
  const isKnown = error instanceof SecretsManagerServiceException;
  const failure = isKnown ? meaningOfAwsError(error.name) : 'unavailable';
  if (failure === 'access_denied') {
    const message = `${action} on ${secretId} was denied: the role lacks ${describeDenial(messageOf(error), action)}`;
    return new StoreError(failure, message, { cause: error });
  }
  const name = error instanceof Error ? error.name : 'no error';
  const reason = isUnanswered(error)
    ? `no answer in time${endpointHint(action)}`
    : `${name}${EXPLANATIONS[failure] ?? ''}`;
  return new StoreError(failure, `${action} on ${secretId} failed: ${reason}`, { cause: error });
}

/**
 * Converts an error to the snapshot's reason why a secret could not be inspected.
 * @throws any error that is not a {@link StoreError}, which is a bug
 */
export function secretFailureOf(error: unknown, secretId: string): SecretFailure {
  if (!(error instanceof StoreError)) throw error;
  switch (error.code) {
    case 'not_found':
      return { access: 'missing' };
    case 'scheduled_for_deletion':
      return { access: 'scheduled_for_deletion' };
    case 'access_denied':
      return deniedBy(error, secretId);
    case 'throttled':
    case 'limit_exceeded':
    case 'malformed':
    case 'unavailable':
      return { access: 'unavailable', reason: error.message };
  }
}

/** A denial on a bare name means that the secret is missing: the role has permissions on the ARNs of all existing secrets. */
function deniedBy({ cause }: StoreError, secretId: string): SecretFailure {
  const [denial] = denialsIn(messageOf(cause));
  if (denial === undefined) {
    return { access: 'denied', action: 'kms:Decrypt', resource: `the key of ${secretId}` };
  }
  return isWithoutArn(denial) ? { access: 'missing' } : { access: 'denied', ...denial };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

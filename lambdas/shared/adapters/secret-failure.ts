import { type SecretFailure } from '../../../contract/deployment-snapshot';
import { StoreError } from '../domain/store-error';
import { denialsIn } from './secrets-manager-error';

/**
 * Why a secret could not be looked at, in the words of the watch.
 * @param error what reading it threw
 * @throws whatever is no failure of the store: a bug
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

/** The role's rights are on ARNs, and there is one for every secret that exists: a bare name is that of none. */
function deniedBy({ cause }: StoreError, secretId: string): SecretFailure {
  const [denial] = denialsIn(cause);
  if (denial === undefined) {
    return { access: 'denied', action: 'kms:Decrypt', resource: `the key of ${secretId}` };
  }
  return denial.resource.startsWith('arn:') ? { access: 'denied', ...denial } : { access: 'missing' };
}

import { type FindingKind } from '../contract/finding-kinds';
import { type CredentialSnapshot } from '../contract/deployment-snapshot';
import { type Finding } from './finding';
import { versionWith } from './versions';

/** What a person has to do something about: get another credential, or see why the one that was got is not taken. */
const WANT_A_PERSON: readonly FindingKind[] = [
  'rotation_due',
  'rotation_overdue',
  'candidate_refused',
  'candidate_untested',
  'api_key_expiring_in_30_days',
  'api_key_expiring_in_7_days',
  'api_key_expired',
];

/** Of the API key alone: nothing else tells of its secret, while the token functions meet that of the client credentials. */
const WANT_A_PERSON_FOR_API_KEYS: readonly FindingKind[] = [
  'secret_missing',
  'secret_scheduled_for_deletion',
  'missing_grant',
];

/**
 * Whether a person is to be told of a finding about a credential, by the tenant's name. What a stopped rotation left
 * behind is not of these: callers notice nothing, and `latchkey doctor --fix` clears it whenever somebody looks.
 */
export function wantsAttention({ kind, severity, credential }: Finding): boolean {
  if (severity === 'info' || credential === undefined) return false;
  return (
    WANT_A_PERSON.includes(kind) || (credential === 'api-key' && WANT_A_PERSON_FOR_API_KEYS.includes(kind))
  );
}

/** Whether all credentials of a tenant are known to be not loaded: there is nothing that anybody could be told of. */
export function isNothingLoaded(credentials: readonly CredentialSnapshot[]): boolean {
  return credentials.every(
    (credential) =>
      credential.access === 'missing' ||
      (credential.access === 'ok' && versionWith(credential.versions, 'AWSCURRENT') === undefined),
  );
}

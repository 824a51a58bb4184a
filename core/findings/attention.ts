import { DUE_KINDS, type FindingKind, SECRET_FAULTS } from './finding-kinds';
import { type CredentialSnapshot } from '../deployment/deployment-snapshot';
import { type Finding } from './finding';
import { versionWith } from './versions';

/** Findings that a person must act on: get another credential, or find out why the new one is not accepted. */
const NOTIFYING: readonly FindingKind[] = [...DUE_KINDS, 'candidate_refused', 'candidate_untested'];
/** The token functions already report faults of the client credentials' secret. */
const NOTIFYING_FOR_API_KEYS: readonly FindingKind[] = [...NOTIFYING, ...SECRET_FAULTS];

/**
 * Whether a finding about a credential notifies a person. What a stopped rotation left behind does not: callers are not
 * affected, and `latchkey doctor --fix` clears it at any time.
 */
export function wantsAttention({ kind, severity, credential }: Finding): boolean {
  if (severity === 'info' || credential === undefined) return false;
  return (credential === 'api-key' ? NOTIFYING_FOR_API_KEYS : NOTIFYING).includes(kind);
}

/** Whether no credential of a tenant has ever been loaded, as far as is known. */
export function isNothingLoaded(credentials: readonly CredentialSnapshot[]): boolean {
  return credentials.every(
    (credential) =>
      credential.access === 'missing' ||
      (credential.access === 'ok' && versionWith(credential.versions, 'AWSCURRENT') === undefined),
  );
}

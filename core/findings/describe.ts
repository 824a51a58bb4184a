import { type CredentialSnapshot, type TokenSnapshot } from '../deployment/deployment-snapshot';
import { type DeploymentFile } from '../deployment/deployment-file';
import { type ProbeAnswer } from '../restore/restore-operation';
import { type CredentialKind } from '../secrets/secret-names';
import { type Finding } from './finding';
import { type FindingKind } from './finding-kinds';
import { timeMs } from './times';
import { versionWith } from './versions';

/** At most this many names are listed; the rest are counted. */
const MAX_NAMES = 5;

/** Such as `a, b and 3 more`. */
export function shortList(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `${names.slice(0, MAX_NAMES).join(', ')}${more}`;
}

/** The names of credentials in messages. */
export const CREDENTIAL_NAMES: Readonly<Record<CredentialKind, string>> = {
  'client-credentials': 'client credential',
  'api-key': 'API key',
};

/** The state of a credential secret in a word or two. */
export function describeCredential(
  credential: CredentialSnapshot,
): 'loaded' | 'not loaded' | 'missing' | 'scheduled for deletion' | 'access denied' | 'unavailable' {
  switch (credential.access) {
    case 'ok':
      return versionWith(credential.versions, 'AWSCURRENT') === undefined ? 'not loaded' : 'loaded';
    case 'missing':
    case 'unavailable':
      return credential.access;
    case 'scheduled_for_deletion':
      return 'scheduled for deletion';
    case 'denied':
      return 'access denied';
  }
}

/** The state of a credential secret, or why a loaded credential is useless by the findings: `refused` or `holds no API key`. */
export function credentialState(credential: CredentialSnapshot, findings: readonly Finding[]): string {
  const has = (kind: FindingKind) =>
    findings.some((finding) => finding.credential === credential.kind && finding.kind === kind);
  if (has('credential_refused')) return 'refused';
  const isNoKey = credential.access === 'ok' && credential.validUntil === undefined && has('api_key_expired');
  return isNoKey ? 'holds no API key' : describeCredential(credential);
}

/** Time until a stored token expires, in ms: negative once expired, undefined if none is stored. */
export function timeToExpiryMs(token: TokenSnapshot, nowMs: number): number | undefined {
  const expiresAtMs = token.access === 'ok' ? timeMs(token.token?.expiresAt) : undefined;
  return expiresAtMs === undefined ? undefined : expiresAtMs - nowMs;
}

/** Whether the platform offers restore, and whether the configuration says the same, such as `offered by the platform`. */
export function describeRestore(
  { available }: Pick<DeploymentFile['restore'], 'available'>,
  { availability, reason }: ProbeAnswer,
): string {
  switch (availability) {
    case 'offered':
      return available
        ? 'offered by the platform'
        : 'offered by the platform, although restore.available is false';
    case 'absent':
      return available
        ? 'not offered by the platform, although restore.available is true'
        : 'not offered by the platform, as configured';
    case 'refused':
    case 'undetermined':
      return `not known whether the platform offers it: ${reason}`;
  }
}

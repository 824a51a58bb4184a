import { type CredentialState } from '../deployment/deployment-snapshot';
import { timeMs } from './times';

/** `due`: the credential reaches its maximum age. `expiry`: the API key expires. */
export interface CredentialDate {
  what: 'due' | 'expiry';
  atMs: number;
}

/**
 * By when a person must replace a loaded credential, the earliest first. Empty if it was never loaded. The rotation schedule does
 * not matter: it only promotes what a person has staged.
 */
export function credentialDates(
  { promotedAt, validUntil }: Pick<CredentialState, 'promotedAt' | 'validUntil'>,
  maxAgeMs: number,
): CredentialDate[] {
  const promotedAtMs = timeMs(promotedAt);
  if (promotedAtMs === undefined) return [];
  const [expiryMs, dueMs] = [timeMs(validUntil), promotedAtMs + maxAgeMs];
  const dates: CredentialDate[] = [
    { what: 'due', atMs: dueMs },
    ...(expiryMs === undefined ? [] : [{ what: 'expiry' as const, atMs: expiryMs }]),
  ];
  return dates.sort((a, b) => a.atMs - b.atMs);
}

import { type CredentialState } from '../deployment/deployment-snapshot';
import { timeMs } from './times';

/** `rotation`: one is planned. `due`: the credential reaches its maximum age. `expiry`: the API key expires. */
export interface CredentialDate {
  what: 'rotation' | 'due' | 'expiry';
  atMs: number;
}

/** When something happens to a loaded credential, the earliest first. Empty if it was never loaded. */
export function credentialDates(
  {
    promotedAt,
    validUntil,
    rotationEnabled,
    nextRotationAt,
  }: Pick<CredentialState, 'promotedAt' | 'validUntil' | 'rotationEnabled' | 'nextRotationAt'>,
  maxAgeMs: number,
  nowMs: number,
): CredentialDate[] {
  const promotedAtMs = timeMs(promotedAt);
  if (promotedAtMs === undefined) return [];
  const rotationMs = rotationEnabled ? timeMs(nextRotationAt) : undefined;
  const [expiryMs, dueMs] = [timeMs(validUntil), promotedAtMs + maxAgeMs];
  const dates: CredentialDate[] = [
    // Secrets Manager keeps the date of a rotation that failed.
    ...(rotationMs === undefined || rotationMs <= nowMs
      ? []
      : [{ what: 'rotation' as const, atMs: rotationMs }]),
    { what: 'due', atMs: dueMs },
    ...(expiryMs === undefined ? [] : [{ what: 'expiry' as const, atMs: expiryMs }]),
  ];
  return dates.sort((a, b) => a.atMs - b.atMs);
}

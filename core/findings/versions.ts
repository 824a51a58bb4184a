import { type CredentialState, type SnapshotVersion } from '../deployment/deployment-snapshot';
import { timeMs } from './times';

/** The version that holds a staging label. */
export function versionWith(
  versions: readonly SnapshotVersion[],
  label: string,
): SnapshotVersion | undefined {
  return versions.find(({ labels }) => labels.includes(label));
}

/** Whether a version was created before another; false if either time is unknown. */
export function isOlder(version: SnapshotVersion, than: SnapshotVersion): boolean {
  const [a, b] = [timeMs(version.createdAt), timeMs(than.createdAt)];
  return a !== undefined && b !== undefined && a < b;
}

/** Age of a version in ms; 0 if unknown, so that a rotation that may be running is left alone. */
export function ageMs({ createdAt }: SnapshotVersion, nowMs: number): number {
  return nowMs - (timeMs(createdAt) ?? nowMs);
}

/** How long the current version has been current, in ms; undefined if nothing is loaded or the time is unknown. */
export function currentForMs({ promotedAt }: CredentialState, nowMs: number): number | undefined {
  const promotedMs = timeMs(promotedAt);
  return promotedMs === undefined ? undefined : nowMs - promotedMs;
}

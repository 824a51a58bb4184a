import { type CredentialState, type SnapshotVersion } from '../contract/deployment-snapshot';
import { timeMs } from './times';

/** The version that holds a staging label. */
export function versionWith(
  versions: readonly SnapshotVersion[],
  label: string,
): SnapshotVersion | undefined {
  return versions.find(({ labels }) => labels.includes(label));
}

/** Whether a version was made before another one; false where either time is not known. */
export function isOlder(version: SnapshotVersion, than: SnapshotVersion): boolean {
  const [a, b] = [timeMs(version.createdAt), timeMs(than.createdAt)];
  return a !== undefined && b !== undefined && a < b;
}

/** How long ago a version was made, in ms: 0 where that is not known, so that nobody disturbs what may be going on. */
export function ageMs({ createdAt }: SnapshotVersion, nowMs: number): number {
  return nowMs - (timeMs(createdAt) ?? nowMs);
}

/** How long the current version has been current, in ms; undefined where nothing is loaded or the time is not known. */
export function currentForMs({ promotedAt }: CredentialState, nowMs: number): number | undefined {
  const promotedMs = timeMs(promotedAt);
  return promotedMs === undefined ? undefined : nowMs - promotedMs;
}

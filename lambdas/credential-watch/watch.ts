import { type DeploymentSnapshot } from '../../contract/credential-watch';
import { type FindingKind } from '../../contract/finding-kinds';
import { type Finding } from '../../inspect/finding';
import { inspect } from '../../inspect/inspect';
import { type Clock, type Log, type Metrics } from '../shared/ports';

/**
 * Judges a snapshot, and counts and logs what needs somebody's attention: each kind of finding by how often it was found.
 * What is only good to know is in the answer alone.
 */
export function watch(
  { clock, log, metrics }: { clock: Clock; log: Log; metrics: Metrics },
  snapshot: DeploymentSnapshot,
): Finding[] {
  const findings = inspect({ snapshot, nowMs: clock.nowMs() });
  const counts = new Map<FindingKind, number>();
  for (const { kind, severity, place, credential, token, message } of findings) {
    if (severity === 'info') continue;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    log.warn('found', {
      code: kind,
      detail: message,
      ...(place.tenantId !== undefined && { tenantId: place.tenantId }),
      ...(credential !== undefined && { credential }),
      ...token,
    });
  }
  metrics.count('WatchRun');
  for (const [code, count] of counts) metrics.count('Finding', count, { code });
  return findings;
}

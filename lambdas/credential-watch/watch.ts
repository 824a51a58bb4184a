import { type DeploymentSnapshot } from '../../core/deployment/deployment-snapshot';
import { type Finding } from '../../core/findings/finding';
import { inspect } from '../../core/findings/inspect';
import { type Clock, type Log, type Metrics } from '../shared/ports';
import { recordWatchMetrics } from './record-watch-metrics';

/** Inspects a snapshot, records its metrics, and logs what needs attention. Findings of severity info are only returned. */
export function watch(
  { clock, log, metrics }: { clock: Clock; log: Log; metrics: Metrics },
  snapshot: DeploymentSnapshot,
): Finding[] {
  const nowMs = clock.nowMs();
  const findings = inspect({ snapshot, nowMs });
  for (const { kind, severity, place, credential, token, message } of findings) {
    if (severity === 'info') continue;
    log.warn('found', {
      code: kind,
      detail: message,
      ...(place.tenantId !== undefined && { tenantId: place.tenantId }),
      ...(credential !== undefined && { credential }),
      ...token,
    });
  }
  recordWatchMetrics(metrics, snapshot, findings, nowMs);
  return findings;
}

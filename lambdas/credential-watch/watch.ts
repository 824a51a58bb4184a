import { type DeploymentSnapshot } from '../../contract/deployment-snapshot';
import { type Finding } from '../../inspect/finding';
import { inspect } from '../../inspect/inspect';
import { type Clock, type Log, type Metrics } from '../shared/ports';
import { measureLook } from './measure-look';

/** Judges a snapshot, measures it, and logs what needs somebody's attention. What is only good to know is in the answer alone. */
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
  measureLook(metrics, snapshot, findings, nowMs);
  return findings;
}

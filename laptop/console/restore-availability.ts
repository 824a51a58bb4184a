import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { deploymentDimensions, METRIC_NAMESPACE, type RestoreMetric } from '../../core/alarms/metrics';
import { type ProbeAnswer } from '../../core/restore/restore-operation';
import { describeRestore } from '../../core/findings/describe';
import { type Finding } from '../../core/findings/finding';
import { RESTORE_KINDS } from '../../core/findings/finding-kinds';
import { type MetricStore } from 'cdk-on-loopback';
import { type AvailabilityView } from './console-state';

const MISMATCH: RestoreMetric = 'RestoreAvailabilityMismatch';

/** What the restore function last found out about the platform. */
export interface LastAnswer {
  answer: ProbeAnswer;
  foundAtMs: number;
}

/**
 * The last answer, by the metric that the restore function then recorded; undefined if there is none. The console sends no
 * probe of its own. The function records no undetermined answer.
 */
export function lastRestoreAnswer(
  metrics: Pick<MetricStore, 'latest'>,
  deployment: DeploymentFile,
): LastAnswer | undefined {
  const dimensions = deploymentDimensions(deployment);
  const latest = metrics.latest({ namespace: METRIC_NAMESPACE, metricName: MISMATCH, dimensions });
  if (latest === undefined) return undefined;
  const { value, timestampMs } = latest;
  const availability = deployment.restore.available === (value === 0) ? 'offered' : 'absent';
  const reason = `so it was at ${new Date(timestampMs).toISOString()}, and \`npx latchkey status\` asks again`;
  return { answer: { availability, reason }, foundAtMs: timestampMs };
}

/** The last answer for the page, with the severity of the finding about it. */
export function availabilityView(
  { restore }: DeploymentFile,
  last: LastAnswer | undefined,
  findings: readonly Finding[],
): AvailabilityView {
  if (last === undefined) return { text: 'not known yet: no answer of the platform so far' };
  const found = findings.find(({ kind }) => RESTORE_KINDS.includes(kind));
  return {
    text: describeRestore(restore, last.answer),
    foundAtMs: last.foundAtMs,
    ...(found !== undefined && { severity: found.severity }),
  };
}

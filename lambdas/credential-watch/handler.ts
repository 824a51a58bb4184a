import { type Context } from 'aws-lambda';

import { type DeploymentSnapshot } from '../../core/deployment/deployment-snapshot';
import { parseTenantsEvent } from '../../core/events/tenants-event';
import { type Finding } from '../../core/findings/finding';
import { inInitPhase } from '../shared/adapters/init-phase';
import { composePorts, type CredentialWatchPorts } from './compose';
import { takeSnapshot } from './take-snapshot';
import { watch } from './watch';

/** Time reserved to return the result before Lambda's timeout. */
const RESERVE_MS = 1_500;
/** A caller waits for a report, and gets what was inspected until then. */
const REPORT_WITHIN_MS = 60_000;
/** Findings that a run returns at most: Lambda refuses an answer of more than 6 MB. All are in the log. */
const MAX_RETURNED = 1_000;

const compose = () => composePorts(process.env);
let ports: CredentialWatchPorts | undefined = inInitPhase(compose);

/**
 * Handler of credential-watch. Returns no secrets and changes nothing.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html (invocation payload)
 * @throws {EventError}
 */
export async function handler(
  event: unknown,
  context: Context,
): Promise<DeploymentSnapshot | { findings: Finding[] }> {
  return handle((ports ??= compose()), event, context);
}

export async function handle(
  ports: CredentialWatchPorts,
  event: unknown,
  context: Context,
): Promise<DeploymentSnapshot | { findings: Finding[] }> {
  const { clock, deployment, log, metrics } = ports;
  log.addContext(context);
  const { action, tenantIds } = parseTenantsEvent(event, ['watch', 'report'], deployment);
  const leftMs = context.getRemainingTimeInMillis();
  const runsMs = action === 'report' ? Math.min(leftMs, REPORT_WITHIN_MS) : leftMs;
  const endsAtMs = clock.monotonicMs() + runsMs - RESERVE_MS;
  const snapshot = await takeSnapshot(ports, tenantIds, endsAtMs);
  if (action === 'report') return snapshot;
  const findings = watch(ports, snapshot);
  metrics.flush();
  return { findings: findings.slice(0, MAX_RETURNED) };
}

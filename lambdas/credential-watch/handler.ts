import { type Context } from 'aws-lambda';

import { type DeploymentSnapshot } from '../../contract/deployment-snapshot';
import { type Finding } from '../../inspect/finding';
import { composePorts, type CredentialWatchPorts } from './compose';
import { takeSnapshot } from './take-snapshot';
import { watch } from './watch';
import { parseWatchEvent } from './watch-event';

/** Time reserved to return the result before Lambda's timeout. */
const RESERVE_MS = 1_500;

let ports: CredentialWatchPorts | undefined;

/**
 * Handler of credential-watch. Returns no secrets and changes nothing.
 * @throws {WatchEventError}
 */
export async function handler(
  event: unknown,
  context: Context,
): Promise<DeploymentSnapshot | { findings: Finding[] }> {
  ports ??= composePorts(process.env);
  const { clock, deployment, log, metrics } = ports;
  log.addContext(context);
  const endsAtMs = clock.monotonicMs() + context.getRemainingTimeInMillis() - RESERVE_MS;
  const { action, tenantIds } = parseWatchEvent(event, deployment);
  const snapshot = await takeSnapshot(ports, tenantIds, endsAtMs);
  if (action === 'report') return snapshot;
  const findings = watch(ports, snapshot);
  metrics.flush();
  return { findings };
}

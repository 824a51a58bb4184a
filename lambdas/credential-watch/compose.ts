import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { readDeploymentFile } from '../shared/adapters/deployment-file';
import { powertoolsLog } from '../shared/adapters/powertools-log';
import { powertoolsMetrics } from '../shared/adapters/powertools-metrics';
import { SecretsManagerInspector } from '../shared/adapters/secrets-manager-inspector';
import { systemClock } from '../shared/adapters/system-clock';
import { type SnapshotPorts } from './take-snapshot';

export interface CredentialWatchPorts extends SnapshotPorts {
  log: ReturnType<typeof powertoolsLog>;
  metrics: ReturnType<typeof powertoolsMetrics>;
}

/** Wires the ports, once per process. */
export function composePorts(): CredentialWatchPorts {
  const deployment = readDeploymentFile();
  // Unless told to throw, the SDK only warns when a request takes too long, and waits on.
  const client = new SecretsManagerClient({
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  });
  return {
    deployment,
    secrets: new SecretsManagerInspector(client, deployment),
    clock: systemClock,
    log: powertoolsLog('credential-watch'),
    metrics: powertoolsMetrics(deployment),
  };
}

import { LambdaClient } from '@aws-sdk/client-lambda';

import { LambdaRestoreProbe } from '../shared/adapters/lambda-restore-probe';
import { readDeploymentFile } from '../shared/adapters/read-deployment-file';
import { networkOf } from '../shared/adapters/network';
import { type InvocationLog, jsonLog } from '../shared/adapters/json-log';
import { embeddedMetrics } from '../shared/adapters/embedded-metrics';
import { SecretsManagerInspector } from '../shared/adapters/secrets-manager-inspector';
import { secretsManagerClient } from '../shared/adapters/secrets-manager-client';
import { systemClock } from '../shared/adapters/system-clock';
import { type CredentialWatchEnvironment } from './environment';
import { type SnapshotPorts } from './take-snapshot';

export interface CredentialWatchPorts extends SnapshotPorts {
  log: InvocationLog;
  metrics: ReturnType<typeof embeddedMetrics>;
}

/** Wires the ports, once per process. */
export function composePorts({ RESTORE_ARN }: CredentialWatchEnvironment): CredentialWatchPorts {
  const deployment = readDeploymentFile();
  const network = networkOf(deployment, false);
  const client = secretsManagerClient(network?.aws);
  return {
    deployment,
    secrets: new SecretsManagerInspector(client, deployment),
    restore:
      RESTORE_ARN === undefined
        ? undefined
        : new LambdaRestoreProbe(new LambdaClient({ requestHandler: { ...network?.aws } }), RESTORE_ARN),
    clock: systemClock,
    log: jsonLog(),
    metrics: embeddedMetrics(deployment),
  };
}

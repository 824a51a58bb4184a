import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { LambdaRestoreProbe } from '../shared/adapters/lambda-restore-probe';
import { readDeploymentFile } from '../shared/adapters/read-deployment-file';
import { networkOf } from '../shared/adapters/network';
import { type InvocationLog, jsonLog } from '../shared/adapters/json-log';
import { embeddedMetrics } from '../shared/adapters/embedded-metrics';
import { SecretsManagerInspector } from '../shared/adapters/secrets-manager-inspector';
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
  // Without throwOnRequestTimeout, the SDK only warns about a slow request and keeps waiting.
  const client = new SecretsManagerClient({
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 3_000,
      throwOnRequestTimeout: true,
      ...network?.aws,
    },
  });
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

import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { readDeploymentFile } from '../shared/adapters/read-deployment-file';
import { sendHttpsOver } from '../shared/adapters/https-client';
import { networkOf } from '../shared/adapters/network';
import { PlatformProof } from '../shared/adapters/platform-proof';
import { type InvocationLog, jsonLog } from '../shared/adapters/json-log';
import { embeddedMetrics } from '../shared/adapters/embedded-metrics';
import { SecretsManagerCredentialVersions } from '../shared/adapters/secrets-manager-credential-versions';
import { systemClock } from '../shared/adapters/system-clock';
import { CountedRuns } from './counted-runs';
import { type ProvePorts } from './prove-keys';
import { type RotationPorts } from './rotate';

export interface RotateCredentialsPorts extends RotationPorts, ProvePorts {
  log: InvocationLog;
  metrics: ReturnType<typeof embeddedMetrics>;
}

/** Wires the ports, once per process. */
export function composePorts(): RotateCredentialsPorts {
  const deployment = readDeploymentFile();
  const network = networkOf(deployment, true);
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
    versions: new SecretsManagerCredentialVersions(client),
    proof: new PlatformProof({
      platform: deployment.platform,
      clock: systemClock,
      sendRequest: sendHttpsOver(network?.platform),
    }),
    clock: systemClock,
    log: jsonLog(),
    metrics: embeddedMetrics(deployment),
    countedRuns: new CountedRuns(),
    memory: {},
  };
}

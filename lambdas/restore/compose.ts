import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { readDeploymentFile } from '../shared/adapters/deployment-file';
import { HttpsContentPlatform } from '../shared/adapters/platform-content';
import { powertoolsLog } from '../shared/adapters/powertools-log';
import { powertoolsMetrics } from '../shared/adapters/powertools-metrics';
import { SecretsManagerTokenReader } from '../shared/adapters/secrets-manager-token-reader';
import { systemClock } from '../shared/adapters/system-clock';
import { RefreshedUpstreamTokens } from '../shared/adapters/upstream-tokens';
import { type RestoreEnvironment } from './environment';
import { type RestorePorts } from './restore-content';

export interface RestoreHandlerPorts extends RestorePorts {
  log: ReturnType<typeof powertoolsLog>;
  metrics: ReturnType<typeof powertoolsMetrics>;
}

/** Wires the ports, once per process. */
export function composePorts(environment: RestoreEnvironment): RestoreHandlerPorts {
  const deployment = readDeploymentFile();
  const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000 };
  const secretsManager = new SecretsManagerClient({ requestHandler });
  // No attempt of the SDK's own: what follows a throttled invocation is ours. The function itself ends within 10 s.
  const lambda = new LambdaClient({
    maxAttempts: 1,
    requestHandler: { ...requestHandler, requestTimeout: 12_000 },
  });
  return {
    deployment,
    tokens: new RefreshedUpstreamTokens({
      tokens: new SecretsManagerTokenReader(secretsManager, deployment.prefix),
      lambda,
      tokenRefreshArn: environment.TOKEN_REFRESH_ARN,
      clock: systemClock,
      random: Math.random,
    }),
    platform: new HttpsContentPlatform(deployment, systemClock),
    clock: systemClock,
    log: powertoolsLog('restore'),
    metrics: powertoolsMetrics(deployment),
  };
}

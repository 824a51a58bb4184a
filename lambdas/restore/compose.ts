import { LambdaClient } from '@aws-sdk/client-lambda';
import { type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { createTokenSource } from '../../client';
import { type Network } from '../optional/network';
import { sendHttpsOver } from '../shared/adapters/https-client';
import { networkOf } from '../shared/adapters/network';
import { readDeploymentFile } from '../shared/adapters/read-deployment-file';
import { HttpsContentPlatform } from '../shared/adapters/platform-content';
import { type InvocationLog, jsonLog } from '../shared/adapters/json-log';
import { embeddedMetrics } from '../shared/adapters/embedded-metrics';
import { secretsManagerClient } from '../shared/adapters/secrets-manager-client';
import { systemClock } from '../shared/adapters/system-clock';
import { checkRestorePath } from '../../core/deployment/deployment-addresses';
import { ClientUpstreamTokens } from '../shared/adapters/upstream-tokens';
import { type RestoreEnvironment } from './environment';
import { OperationAvailability } from './operation-availability';
import { type ProbePorts } from './probe-operation';
import { type RestorePorts } from './restore-content';

export interface RestoreHandlerPorts extends RestorePorts, ProbePorts {
  secretsManager: SecretsManagerClient;
  log: InvocationLog;
  metrics: ReturnType<typeof embeddedMetrics>;
}

/**
 * Wires the ports, once per process.
 * @throws {HostileAddressError}
 */
export function composePorts(environment: RestoreEnvironment): RestoreHandlerPorts {
  const deployment = readDeploymentFile();
  checkRestorePath(deployment);
  const network = networkOf(deployment, true);
  const clients = clientsOver(network?.aws);
  const platform = new HttpsContentPlatform(deployment, systemClock, sendHttpsOver(network?.platform));
  const metrics = embeddedMetrics(deployment);
  return {
    secretsManager: clients.secretsManager,
    deployment,
    tokens: new ClientUpstreamTokens(
      createTokenSource({
        prefix: deployment.prefix,
        tokenRefresh: environment.TOKEN_REFRESH_ARN,
        ...clients,
      }),
      systemClock,
    ),
    storedTokens: new ClientUpstreamTokens(
      createTokenSource({ prefix: deployment.prefix, ...clients }),
      systemClock,
    ),
    platform,
    availability: new OperationAvailability({ deployment, platform, clock: systemClock, metrics }),
    clock: systemClock,
    log: jsonLog(),
    metrics,
  };
}

/** Clients like those that the token source makes, which would make one of Secrets Manager only in an invocation. */
function clientsOver(agents: Network['aws']) {
  return {
    secretsManager: secretsManagerClient(agents),
    ...(agents !== undefined && {
      lambda: new LambdaClient({ maxAttempts: 1, requestHandler: { connectionTimeout: 1_000, ...agents } }),
    }),
  };
}

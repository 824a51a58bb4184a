import { type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { readDeploymentFile } from '../shared/adapters/read-deployment-file';
import { composeChangeEvents } from '../shared/adapters/compose-change-events';
import { sendHttpsOver } from '../shared/adapters/https-client';
import { PlatformTokenIssuer } from '../shared/adapters/platform-token-issuer';
import { networkOf } from '../shared/adapters/network';
import { type InvocationLog, jsonLog } from '../shared/adapters/json-log';
import { embeddedMetrics } from '../shared/adapters/embedded-metrics';
import { SecretsManagerCredentialStore } from '../shared/adapters/secrets-manager-credential-store';
import { SecretsManagerTokenStore } from '../shared/adapters/secrets-manager-token-store';
import { correctedClock, secretsManagerClient } from '../shared/adapters/secrets-manager-client';
import { RefreshMemory } from './refresh-memory';
import { type RefreshTokenPorts } from './refresh-token';

/** The ports of token-refresh. */
export interface TokenRefreshPorts extends RefreshTokenPorts {
  deployment: DeploymentFile;
  log: InvocationLog;
  metrics: ReturnType<typeof embeddedMetrics>;
}

/** The same for token-sweep, which needs the client for more. */
export interface ConnectedPorts extends TokenRefreshPorts {
  secretsManager: SecretsManagerClient;
}

/** Wires the ports, once per process. */
export function composePorts(): ConnectedPorts {
  const deployment = readDeploymentFile();
  const log = jsonLog();
  const metrics = embeddedMetrics(deployment);
  const network = networkOf(deployment, true);
  const secretsManager = secretsManagerClient(network?.aws);
  const clock = correctedClock(secretsManager);
  return {
    secretsManager,
    deployment,
    platform: deployment.platform,
    tokens: new SecretsManagerTokenStore(secretsManager, deployment.prefix),
    credentials: new SecretsManagerCredentialStore(secretsManager, deployment),
    issuer: new PlatformTokenIssuer(clock, sendHttpsOver(network?.platform)),
    clock,
    random: Math.random,
    memory: new RefreshMemory(),
    log,
    metrics,
    events: composeChangeEvents({ deployment, clock, log, metrics, agents: network?.aws }),
  };
}

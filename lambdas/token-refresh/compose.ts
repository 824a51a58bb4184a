import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { type DeploymentFile } from '../../contract/deployment-file';
import { readDeploymentFile } from '../shared/adapters/read-deployment-file';
import { PlatformTokenIssuer } from '../shared/adapters/platform-token-issuer';
import { type InvocationLog, jsonLog } from '../shared/adapters/json-log';
import { embeddedMetrics } from '../shared/adapters/embedded-metrics';
import { SecretsManagerCredentialStore } from '../shared/adapters/secrets-manager-credential-store';
import { SecretsManagerTokenStore } from '../shared/adapters/secrets-manager-token-store';
import { systemClock } from '../shared/adapters/system-clock';
import { RefreshMemory } from './refresh-memory';
import { type RefreshTokenPorts } from './refresh-token';

/** The ports of token-refresh. */
export interface TokenRefreshPorts extends RefreshTokenPorts {
  deployment: DeploymentFile;
  log: InvocationLog;
  metrics: ReturnType<typeof embeddedMetrics>;
}

export function secretsManagerClient(): SecretsManagerClient {
  // The SDK's three attempts must fit into one renewal. Without throwOnRequestTimeout, it only warns and keeps waiting.
  return new SecretsManagerClient({
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  });
}

/** Wires the ports, once per process. */
export function composePorts(client = secretsManagerClient()): TokenRefreshPorts {
  const deployment = readDeploymentFile();
  return {
    deployment,
    platform: deployment.platform,
    tokens: new SecretsManagerTokenStore(client, deployment.prefix),
    credentials: new SecretsManagerCredentialStore(client, deployment),
    issuer: new PlatformTokenIssuer(systemClock),
    clock: systemClock,
    random: Math.random,
    memory: new RefreshMemory(),
    log: jsonLog(),
    metrics: embeddedMetrics(deployment),
  };
}

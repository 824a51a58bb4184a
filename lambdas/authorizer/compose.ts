import { type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { readDeploymentFile } from '../shared/adapters/read-deployment-file';
import { networkOf } from '../shared/adapters/network';
import { type InvocationLog, jsonLog } from '../shared/adapters/json-log';
import { SecretsManagerAcceptedSecrets } from '../shared/adapters/secrets-manager-accepted-secrets';
import { secretsManagerClient } from '../shared/adapters/secrets-manager-client';
import { systemClock } from '../shared/adapters/system-clock';
import { Authenticator } from './authenticate';

export interface AuthorizerPorts {
  deployment: DeploymentFile;
  secretsManager: SecretsManagerClient;
  authenticator: Authenticator;
  log: InvocationLog;
}

/** Wires the ports, once per process. */
export function composePorts(): AuthorizerPorts {
  const deployment = readDeploymentFile();
  const secretsManager = secretsManagerClient(networkOf(deployment, false)?.aws, 2_000);
  return {
    deployment,
    secretsManager,
    authenticator: new Authenticator(
      deployment,
      new SecretsManagerAcceptedSecrets(secretsManager, deployment),
      systemClock,
    ),
    log: jsonLog(),
  };
}

import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { readDeploymentFile } from '../shared/adapters/deployment-file';
import { powertoolsLog } from '../shared/adapters/powertools-log';
import { SecretsManagerAcceptedSecrets } from '../shared/adapters/secrets-manager-accepted-secrets';
import { systemClock } from '../shared/adapters/system-clock';
import { Authenticator } from './authenticate';

export interface AuthorizerPorts {
  authenticator: Authenticator;
  log: ReturnType<typeof powertoolsLog>;
}

/** Wires the ports, once per process. */
export function composePorts(): AuthorizerPorts {
  const deployment = readDeploymentFile();
  const client = new SecretsManagerClient({
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  return {
    authenticator: new Authenticator(
      deployment,
      new SecretsManagerAcceptedSecrets(client, deployment),
      systemClock,
    ),
    log: powertoolsLog('authorizer'),
  };
}

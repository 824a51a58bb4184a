import { type Outside } from '../shared/adapters/compose-outside';
import { readDeploymentFile } from '../shared/adapters/read-deployment-file';
import { networkOf } from '../shared/adapters/network';
import { jsonLog } from '../shared/adapters/json-log';
import { SecretsManagerAcceptedSecrets } from '../shared/adapters/secrets-manager-accepted-secrets';
import { secretsManagerClient } from '../shared/adapters/secrets-manager-client';
import { systemClock } from '../shared/adapters/system-clock';
import { Authenticator } from './authenticate';

export type AuthorizerPorts = ReturnType<typeof composePorts>;

/** The ports of a new process. */
export function portsOver<Given extends Omit<Outside, 'sendRequest'>>(given: Given) {
  const { deployment, secretsManager, clock } = given;
  const secrets = new SecretsManagerAcceptedSecrets(secretsManager, deployment);
  return { ...given, authenticator: new Authenticator(deployment, secrets, clock) };
}

export function composePorts() {
  const deployment = readDeploymentFile();
  const secretsManager = secretsManagerClient(networkOf(deployment, false)?.aws, 2_000);
  return portsOver({ deployment, secretsManager, clock: systemClock, log: jsonLog() });
}

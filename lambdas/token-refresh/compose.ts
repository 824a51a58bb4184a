import { composeOutside, type Outside } from '../shared/adapters/compose-outside';
import { HttpsTokenIssuer } from '../shared/adapters/https-token-issuer';
import { SecretsManagerCredentialStore } from '../shared/adapters/secrets-manager-credential-store';
import { SecretsManagerTokenStore } from '../shared/adapters/secrets-manager-token-store';
import { correctedClock } from '../shared/adapters/secrets-manager-client';
import { RefreshMemory } from './refresh-memory';

export type TokenRefreshPorts = ReturnType<typeof composePorts>;

/** The ports of a new process. */
export function portsOver<Given extends Outside>(given: Given) {
  const { deployment, secretsManager, sendRequest, clock } = given;
  return {
    ...given,
    tokens: new SecretsManagerTokenStore(secretsManager, deployment.prefix),
    credentials: new SecretsManagerCredentialStore(secretsManager, deployment),
    issuer: new HttpsTokenIssuer(deployment, clock, sendRequest),
    memory: new RefreshMemory(),
  };
}

export function composePorts() {
  return portsOver({ ...composeOutside(correctedClock), random: Math.random });
}

import { type Outside } from '../shared/adapters/compose-outside';
import { SecretsManagerCredentialVersions } from '../shared/adapters/secrets-manager-credential-versions';
import { composePorts as composeRefreshPorts } from '../token-refresh/compose';

export type TokenSweepPorts = ReturnType<typeof composePorts>;

/** The ports of token-refresh, and what only sweeps need. */
export function portsOver<Given extends Pick<Outside, 'secretsManager'>>(refreshPorts: Given) {
  return { ...refreshPorts, versions: new SecretsManagerCredentialVersions(refreshPorts.secretsManager) };
}

export const composePorts = () => portsOver(composeRefreshPorts());

import { SecretsManagerCredentialVersions } from '../shared/adapters/secrets-manager-credential-versions';
import { composePorts as composeRefreshPorts, type TokenRefreshPorts } from '../token-refresh/compose';
import { type AbandonedRotationPorts } from '../token-refresh/end-abandoned-rotations';

/** The ports of token-sweep. */
export interface TokenSweepPorts extends TokenRefreshPorts, Pick<AbandonedRotationPorts, 'versions'> {}

/** Wires the ports, once per process. */
export function composePorts(): TokenSweepPorts {
  const ports = composeRefreshPorts();
  return { ...ports, versions: new SecretsManagerCredentialVersions(ports.secretsManager) };
}

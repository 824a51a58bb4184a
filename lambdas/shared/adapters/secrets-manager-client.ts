import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { type Network } from '../../optional/network';

/**
 * The functions' client of Secrets Manager. The SDK's three attempts must fit into one renewal. Without
 * throwOnRequestTimeout, it only warns about a slow request and keeps waiting.
 * @param agents how calls leave the function, if not as usual
 */
export function secretsManagerClient(agents: Network['aws'], requestTimeout = 3_000): SecretsManagerClient {
  return new SecretsManagerClient({
    requestHandler: { connectionTimeout: 1_000, requestTimeout, throwOnRequestTimeout: true, ...agents },
  });
}

/**
 * Has the client of newly composed ports go through a call that is aborted before it is sent, so that the first real one
 * finds the SDK's code compiled, and its endpoint and credentials resolved. For the init phase, which has a whole vCPU.
 * @see docs/decisions/0050-work-in-the-init-phase.md
 */
export function rehearsed<Ports extends { secretsManager: SecretsManagerClient }>(ports: Ports): Ports {
  const abortSignal = { aborted: true, onabort: null };
  ports.secretsManager
    .send(new GetSecretValueCommand({ SecretId: 'none' }), { abortSignal })
    .catch(() => undefined);
  return ports;
}

import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

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

import { LambdaClient } from '@aws-sdk/client-lambda';

import { createTokenSource, type TokenSourceOptions } from '../../client';
import { type Network } from '../optional/network';
import { sendHttpsOver } from '../shared/adapters/https-client';
import { networkOf } from '../shared/adapters/network';
import { readDeploymentFile } from '../shared/adapters/read-deployment-file';
import { HttpsContentPlatform } from '../shared/adapters/platform-content';
import { jsonLog } from '../shared/adapters/json-log';
import { embeddedMetrics } from '../shared/adapters/embedded-metrics';
import { secretsManagerClient } from '../shared/adapters/secrets-manager-client';
import { systemClock } from '../shared/adapters/system-clock';
import { type ContentPlatform } from '../shared/ports';
import { checkRestorePath } from '../../core/deployment/deployment-addresses';
import { ClientUpstreamTokens } from '../shared/adapters/upstream-tokens';
import { type RestoreEnvironment } from './environment';
import { type AvailabilityPorts, OperationAvailability } from './operation-availability';
import { type RestorePorts } from './restore-content';

export type RestoreHandlerPorts = ReturnType<typeof composePorts>;

/**
 * The ports of a new process.
 * @param source of tokens, which renews them by token-refresh
 */
export function portsOver<
  Given extends Omit<RestorePorts, 'tokens' | 'availability'> & Pick<AvailabilityPorts, 'metrics'>,
>(given: Given, source: TokenSourceOptions) {
  const { clock } = given;
  const tokensOf = (options: TokenSourceOptions) =>
    new ClientUpstreamTokens(createTokenSource({ prefix: given.deployment.prefix, ...options }), clock);
  return {
    ...given,
    tokens: tokensOf(source),
    readStoredTokens: () => tokensOf({ ...source, tokenRefresh: undefined }),
    availability: new OperationAvailability(given),
  };
}

/**
 * Wires the ports, once per process.
 * @throws {HostileAddressError}
 */
export function composePorts(environment: RestoreEnvironment) {
  const deployment = readDeploymentFile();
  checkRestorePath(deployment);
  const network = networkOf(deployment, true);
  const clients = clientsOver(network?.aws);
  const platform: ContentPlatform = new HttpsContentPlatform(
    deployment,
    systemClock,
    sendHttpsOver(network?.platform),
  );
  const outside = {
    secretsManager: clients.secretsManager,
    deployment,
    platform,
    clock: systemClock,
    log: jsonLog(),
    metrics: embeddedMetrics(deployment),
  };
  return portsOver(outside, { tokenRefresh: environment.TOKEN_REFRESH_ARN, ...clients });
}

/** Clients like those that the token source creates by default, but created in the init phase, and with the agents. */
function clientsOver(agents: Network['aws']) {
  return {
    secretsManager: secretsManagerClient(agents),
    ...(agents !== undefined && {
      lambda: new LambdaClient({ maxAttempts: 1, requestHandler: { connectionTimeout: 1_000, ...agents } }),
    }),
  };
}

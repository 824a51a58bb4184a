import { type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type Clock } from '../ports';
import { composeChangeEvents } from './compose-change-events';
import { embeddedMetrics } from './embedded-metrics';
import { type sendHttps, sendHttpsOver } from './https-client';
import { jsonLog } from './json-log';
import { networkOf } from './network';
import { readDeploymentFile } from './read-deployment-file';
import { secretsManagerClient } from './secrets-manager-client';

/** What a function's ports are composed from. Tests replace it. */
export interface Outside {
  deployment: DeploymentFile;
  secretsManager: SecretsManagerClient;
  sendRequest: typeof sendHttps;
  clock: Clock;
}

/** Composes what a function needs to call AWS and the platform. */
export function composeOutside(clockOf: (client: SecretsManagerClient) => Clock) {
  const deployment = readDeploymentFile();
  const log = jsonLog();
  const metrics = embeddedMetrics(deployment);
  const network = networkOf(deployment, true);
  const secretsManager = secretsManagerClient(network?.aws);
  const clock = clockOf(secretsManager);
  const events = composeChangeEvents({ deployment, clock, log, metrics, agents: network?.aws });
  const sendRequest = sendHttpsOver(network?.platform);
  return { deployment, secretsManager, sendRequest, clock, log, metrics, events };
}

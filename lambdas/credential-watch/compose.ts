import { LambdaClient } from '@aws-sdk/client-lambda';

import { type Outside } from '../shared/adapters/compose-outside';
import { LambdaRestoreProbe } from '../shared/adapters/lambda-restore-probe';
import { readDeploymentFile } from '../shared/adapters/read-deployment-file';
import { networkOf } from '../shared/adapters/network';
import { jsonLog } from '../shared/adapters/json-log';
import { embeddedMetrics } from '../shared/adapters/embedded-metrics';
import { SecretsManagerInspector } from '../shared/adapters/secrets-manager-inspector';
import { secretsManagerClient } from '../shared/adapters/secrets-manager-client';
import { systemClock } from '../shared/adapters/system-clock';
import { type CredentialWatchEnvironment } from './environment';

export type CredentialWatchPorts = ReturnType<typeof composePorts>;

/**
 * The ports of a new process.
 * @param restore undefined without a restore API
 */
export function portsOver<Given extends Omit<Outside, 'sendRequest'>>(
  given: Given,
  restore?: LambdaRestoreProbe,
) {
  const { deployment, secretsManager } = given;
  return { ...given, secrets: new SecretsManagerInspector(secretsManager, deployment), restore };
}

export function composePorts({ RESTORE_ARN }: CredentialWatchEnvironment) {
  const deployment = readDeploymentFile();
  const network = networkOf(deployment, false);
  const outside = {
    deployment,
    secretsManager: secretsManagerClient(network?.aws),
    clock: systemClock,
    log: jsonLog(),
    metrics: embeddedMetrics(deployment),
  };
  if (RESTORE_ARN === undefined) return portsOver(outside);
  const lambda = new LambdaClient({ requestHandler: { ...network?.aws } });
  return portsOver(outside, new LambdaRestoreProbe(lambda, RESTORE_ARN));
}

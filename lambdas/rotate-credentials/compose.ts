import { composeChangeEvents } from '../shared/adapters/compose-change-events';
import { type AnnounceAnswer } from '../../core/events/change-events';
import { EVENT_MODULES } from '../../core/events/event-environment';
import { readDeploymentFile } from '../shared/adapters/read-deployment-file';
import { sendHttpsOver } from '../shared/adapters/https-client';
import { networkOf } from '../shared/adapters/network';
import { PlatformProof } from '../shared/adapters/platform-proof';
import { type InvocationLog, jsonLog } from '../shared/adapters/json-log';
import { embeddedMetrics } from '../shared/adapters/embedded-metrics';
import { SecretsManagerCredentialVersions } from '../shared/adapters/secrets-manager-credential-versions';
import { loadOptionalModule } from '../shared/adapters/optional-module';
import { secretsManagerClient } from '../shared/adapters/secrets-manager-client';
import { systemClock } from '../shared/adapters/system-clock';
import type * as announcing from '../optional/announce';
import { CountedRuns } from './counted-runs';
import { type ProvePorts } from './prove-keys';
import { type RotationPorts } from './rotate';

export interface RotateCredentialsPorts extends RotationPorts, ProvePorts {
  log: InvocationLog;
  metrics: ReturnType<typeof embeddedMetrics>;
  /** Sends the event of a change that a command made. Absent if the deployment sends no events. */
  announce?: ((event: Record<string, unknown>, deadlineMs: number) => Promise<AnnounceAnswer>) | undefined;
}

/** Wires the ports, once per process. */
export function composePorts(): RotateCredentialsPorts {
  const deployment = readDeploymentFile();
  const log = jsonLog();
  const metrics = embeddedMetrics(deployment);
  const network = networkOf(deployment, true);
  const client = secretsManagerClient(network?.aws);
  const versions = new SecretsManagerCredentialVersions(client);
  const events = composeChangeEvents({ deployment, clock: systemClock, log, metrics, agents: network?.aws });
  return {
    deployment,
    versions,
    proof: new PlatformProof({
      platform: deployment.platform,
      clock: systemClock,
      sendRequest: sendHttpsOver(network?.platform),
    }),
    clock: systemClock,
    log,
    metrics,
    events,
    announce:
      events &&
      ((event, deadlineMs) =>
        loadOptionalModule<typeof announcing>(EVENT_MODULES.announce).announcer({
          deployment,
          versions,
          clock: systemClock,
          events,
        })(event, deadlineMs)),
    countedRuns: new CountedRuns(),
    memory: {},
  };
}

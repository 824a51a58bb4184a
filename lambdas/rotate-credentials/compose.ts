import { type AnnounceAnswer } from '../../core/events/change-events';
import { EVENT_MODULES } from '../../core/events/event-environment';
import { composeOutside, type Outside } from '../shared/adapters/compose-outside';
import { loadOptionalModule } from '../shared/adapters/optional-module';
import { PlatformProof } from '../shared/adapters/platform-proof';
import { SecretsManagerCredentialVersions } from '../shared/adapters/secrets-manager-credential-versions';
import { systemClock } from '../shared/adapters/system-clock';
import type * as announcing from '../optional/announce';
import { CountedRuns } from './counted-runs';

export type RotateCredentialsPorts = ReturnType<typeof composePorts>;

/** The ports of a new process. */
export function portsOver<Given extends Outside>(given: Given) {
  return {
    ...given,
    versions: new SecretsManagerCredentialVersions(given.secretsManager),
    proof: new PlatformProof(given),
    countedRuns: new CountedRuns(),
    memory: {},
  };
}

export function composePorts() {
  const ports = portsOver(composeOutside(() => systemClock));
  const { events } = ports;
  /** Sends the event of a change that a command made. Absent if the deployment sends no events. */
  const announce =
    events &&
    ((event: Record<string, unknown>, deadlineMs: number): Promise<AnnounceAnswer> => {
      const module = loadOptionalModule<typeof announcing>(EVENT_MODULES.announce);
      return module.announce({ ...ports, events }, event, deadlineMs);
    });
  return { ...ports, announce };
}

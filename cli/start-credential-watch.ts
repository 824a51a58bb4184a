import { type WatchEvent } from '../core/deployment/deployment-snapshot';
import { type CommandContext } from './command';
import { startFunction } from './invoke-function';
import { type Deployment } from './system';
import { followUp } from './terminal';

/** Starts credential-watch after a command changed something, so that alarms clear now rather than at its next run. */
export function startCredentialWatch({ terminal }: CommandContext, deployment: Deployment): Promise<void> {
  const event: WatchEvent = { action: 'watch' };
  return followUp(terminal, 'Alarms update at the next run of credential-watch, within 6 h', () =>
    startFunction(deployment, 'credential-watch-arn', event, terminal.interrupted),
  );
}

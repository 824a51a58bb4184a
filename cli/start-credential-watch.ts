import { type WatchEvent } from '../core/deployment/deployment-snapshot';
import { type CommandContext } from './command';
import { CommandError } from './command-error';
import { startFunction } from './invoke-function';
import { type Deployment } from './system';

/**
 * Starts credential-watch after a command changed something, so that alarms clear now rather than at its next run.
 * A failure is reported but does not fail the command.
 */
export async function startCredentialWatch(
  { terminal }: CommandContext,
  deployment: Deployment,
): Promise<void> {
  const event: WatchEvent = { action: 'watch' };
  try {
    await startFunction(deployment, 'credential-watch-arn', event, terminal.interrupted);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.say(`Alarms update at the next run of credential-watch, within 6 h: ${error.message}`);
  }
}

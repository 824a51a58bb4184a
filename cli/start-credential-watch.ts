import { type WatchEvent } from '../contract/deployment-snapshot';
import { type CommandContext } from './command';
import { CommandError } from './command-error';
import { startFunction } from './invoke-function';
import { type Deployment } from './system';

/**
 * Has credential-watch inspect what a command changed, so that alarms about it end now and not after its next scheduled
 * run. What the command did stands without it, so a failure is only reported.
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
    terminal.say(`Alarms follow at the next look, within 6 h: ${error.message}.`);
  }
}

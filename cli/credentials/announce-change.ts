import { type AnnounceEvent } from '../../core/events/change-events';
import { type CommandContext } from '../command';
import { startFunction } from '../invoke-function';
import { followUp } from '../terminal';
import { type LabeledSecret } from './labeled-secret';

/** Has rotate-credentials send the event of a change that this command made, if the deployment sends events. */
export function announceChange(
  { terminal }: CommandContext,
  { chosen: { deployment, tenant }, kind }: LabeledSecret,
  change: AnnounceEvent['change'],
  versionId: string,
): Promise<void> {
  const { tenantId } = tenant;
  const event: AnnounceEvent = { action: 'announce', change, tenantId, credential: kind, versionId };
  const unannounced = 'No event of this was sent; readers find the change when their caches expire';
  return followUp(terminal, unannounced, async () => {
    if ((await deployment.sendsEvents?.()) !== true) return;
    await startFunction(deployment, 'rotate-credentials-arn', event, terminal.interrupted);
  });
}

import { EVENT_MODULES } from '../../../core/events/event-environment';
import type * as changeEvents from '../../optional/change-events';
import { type ChangeEvents } from '../ports';
import { loadOptionalModule } from './optional-module';

/**
 * Loads the sender of change events. Returns undefined if the deployment sends none, or if the sender cannot be loaded:
 * renewals and rotations continue without events.
 */
export function composeChangeEvents(
  ports: Omit<changeEvents.ChangeEventsPorts, 'eventBusArn'>,
): ChangeEvents | undefined {
  const eventBusArn = process.env.EVENT_BUS_ARN;
  if (eventBusArn === undefined) return undefined;
  try {
    const module = loadOptionalModule<typeof changeEvents>(EVENT_MODULES.changeEvents);
    return module.changeEvents({ ...ports, eventBusArn });
  } catch (error) {
    const { code, name, message } = error as NodeJS.ErrnoException;
    ports.metrics.count('EventFailed');
    ports.log.warn('no events are sent', { code: code ?? name, detail: message });
    return undefined;
  }
}

import { EVENT_MODULES } from '../../../core/events/event-environment';
import type * as changeEvents from '../../optional/change-events';
import { type ChangeEvents } from '../ports';
import { loadOptionalModule } from './optional-module';

/**
 * Wires the events of a deployment; undefined if it sends none, or if they cannot be sent: renewals and rotations must go on
 * without them.
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
    const { name, message, code = name } = error as NodeJS.ErrnoException;
    ports.metrics.count('EventFailed');
    ports.log.warn('no events are sent', { code, detail: message });
    return undefined;
  }
}

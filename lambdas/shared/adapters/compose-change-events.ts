import { EVENT_MODULES } from '../../../contract/event-environment';
import type * as changeEvents from '../../optional/change-events';
import { type ChangeEvents } from '../ports';
import { loadOptionalModule } from './optional-module';

/** Wires the events of a deployment; undefined if it sends none. */
export function composeChangeEvents(
  ports: Omit<changeEvents.ChangeEventsPorts, 'eventBusArn'>,
): ChangeEvents | undefined {
  const eventBusArn = process.env.EVENT_BUS_ARN;
  if (eventBusArn === undefined) return undefined;
  return loadOptionalModule<typeof changeEvents>(EVENT_MODULES.changeEvents).changeEvents({
    ...ports,
    eventBusArn,
  });
}

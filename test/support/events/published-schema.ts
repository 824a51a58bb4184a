import Ajv from 'ajv';

import { EVENT_TYPES, type EventType } from '../../../core/events/change-events';
import { eventOpenApi } from '../../../tools/docs/event-schemas';

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
for (const type of Object.values(EVENT_TYPES)) ajv.addSchema(closed(eventOpenApi(type)), idOf(type));

function idOf(type: EventType): string {
  return type.replaceAll(' ', '-');
}

/** Why an event is not one that the published schema of its type describes; empty if it is. No other field counts as described. */
export function schemaFaults(event: Record<string, unknown>): string[] {
  const type = event['detail-type'] as EventType;
  if (!Object.values(EVENT_TYPES).includes(type)) return [`detail-type ${String(type)}`];
  const validate = ajv.compile({ $ref: `${idOf(type)}#/components/schemas/AWSEvent` });
  validate(event);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The document with each object closed: readers must accept more fields, but we send only those. */
function closed(document: unknown): object {
  return JSON.parse(
    JSON.stringify(document, (_, value: unknown) =>
      typeof value === 'object' && value !== null && 'properties' in value
        ? { ...value, additionalProperties: false }
        : value,
    ),
  ) as object;
}

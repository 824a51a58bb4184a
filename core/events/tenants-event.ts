import { isJsonObject } from '../json/json-object';
import { readTenantIds, unknownField, wrongValue } from './event-values';

const FIELDS = ['action', 'tenantIds'];

/** An invalid event. The message names the field, the value found and the allowed values. */
export class EventError extends Error {
  override readonly name = 'EventError';
  readonly code = 'invalid_request';
}

/** Parses an event about all tenants of a deployment, or about some of them. @throws {EventError} */
export function parseTenantsEvent<Action extends string>(
  event: unknown,
  actions: readonly Action[],
  { tenants }: { tenants: readonly { tenantId: string }[] },
): { action: Action; tenantIds?: string[] } {
  if (!isJsonObject(event)) throw new EventError(wrongValue('event', event, 'an object'));
  const unknown = unknownField(event, FIELDS);
  if (unknown !== undefined) throw new EventError(unknown);
  const action = actions.find((known) => known === event.action);
  if (action === undefined) {
    throw new EventError(wrongValue('action', event.action, actions.map((name) => `"${name}"`).join(', ')));
  }
  if (event.tenantIds === undefined) return { action };
  const tenantIds = tenants.map(({ tenantId }) => tenantId);
  const read = readTenantIds(event.tenantIds, tenantIds);
  if ('wrong' in read) throw new EventError(read.wrong);
  return { action, ...read };
}

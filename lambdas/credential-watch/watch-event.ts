import { type WatchEvent } from '../../core/deployment/deployment-snapshot';
import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { isJsonObject } from '../../core/json/json-object';
import { readTenantIds, unknownField, wrongValue } from '../../core/events/event-values';

const ACTIONS: readonly WatchEvent['action'][] = ['watch', 'report'];
const FIELDS = ['action', 'tenantIds'];

/** An invalid event. The message names the field, the value found and the allowed values. */
export class WatchEventError extends Error {
  override readonly name = 'WatchEventError';
  readonly code = 'invalid_request';
}

/** Parses an event of credential-watch. @throws {WatchEventError} */
export function parseWatchEvent(event: unknown, { tenants }: DeploymentFile): WatchEvent {
  if (!isJsonObject(event)) throw new WatchEventError(wrongValue('event', event, 'an object'));
  const unknown = unknownField(event, FIELDS);
  if (unknown !== undefined) throw new WatchEventError(unknown);
  const fields: Partial<Record<keyof WatchEvent, unknown>> = event;
  const action = ACTIONS.find((known) => known === fields.action);
  if (action === undefined) {
    throw new WatchEventError(wrongValue('action', fields.action, '"watch", "report"'));
  }
  if (fields.tenantIds === undefined) return { action };
  const read = readTenantIds(
    fields.tenantIds,
    tenants.map(({ tenantId }) => tenantId),
  );
  if ('wrong' in read) throw new WatchEventError(read.wrong);
  return { action, ...read };
}

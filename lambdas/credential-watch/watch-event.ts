import { type WatchEvent } from '../../contract/deployment-snapshot';
import { type DeploymentFile } from '../../contract/deployment-file';
import { isJsonObject } from '../../contract/json-object';
import { unknownField, wrongValue } from '../shared/domain/event-values';

const ACTIONS: readonly WatchEvent['action'][] = ['watch', 'report'];
const FIELDS = ['action', 'tenantIds'];
/** Maximum tenants that a message lists. */
const MAX_NAMES = 20;

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
  const known = tenants.map(({ tenantId }) => tenantId);
  return { action, tenantIds: parseTenantIds(fields.tenantIds, known) };
}

/** Removes duplicates: with them, a partial run could look like one of all tenants. */
function parseTenantIds(tenantIds: unknown, known: readonly string[]): string[] {
  if (!Array.isArray(tenantIds)) {
    throw new WatchEventError(wrongValue('tenantIds', tenantIds, 'a list of tenants'));
  }
  return [...new Set<unknown>(tenantIds)].map((tenantId) => {
    if (typeof tenantId === 'string' && known.includes(tenantId)) return tenantId;
    const names = known.slice(0, MAX_NAMES).join(', ');
    const more = known.length > MAX_NAMES ? ` and ${known.length - MAX_NAMES} more` : '';
    throw new WatchEventError(wrongValue('tenantIds', tenantId, `${names}${more}`));
  });
}

import { type WatchEvent } from '../../contract/deployment-snapshot';
import { type DeploymentFile } from '../../contract/deployment-file';

const ACTIONS: readonly WatchEvent['action'][] = ['watch', 'report'];
const FIELDS = ['action', 'tenantIds'];
/** So many tenants are named in a message. */
const MAX_NAMES = 20;

/** Somebody asked for what the watch does not know. The message names field, value found and values allowed. */
export class WatchEventError extends Error {
  override readonly name = 'WatchEventError';
  readonly code = 'invalid_request';
}

/** Reads an event of credential-watch. @throws {WatchEventError} */
export function parseWatchEvent(event: unknown, { tenants }: DeploymentFile): WatchEvent {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    throw new WatchEventError(`event: found ${shown(event)}; allowed: an object`);
  }
  const unknown = Object.keys(event).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) {
    throw new WatchEventError(
      `${unknown.slice(0, 40)}: found a field of this name; allowed: ${FIELDS.join(', ')}`,
    );
  }
  const fields = event as Partial<Record<keyof WatchEvent, unknown>>;
  const action = ACTIONS.find((known) => known === fields.action);
  if (action === undefined) {
    throw new WatchEventError(`action: found ${shown(fields.action)}; allowed: "watch", "report"`);
  }
  if (fields.tenantIds === undefined) return { action };
  const known = tenants.map(({ tenantId }) => tenantId);
  return { action, tenantIds: parseTenantIds(fields.tenantIds, known) };
}

/** Each once: one that was named twice would stand for another that nobody looks at. */
function parseTenantIds(tenantIds: unknown, known: readonly string[]): string[] {
  if (!Array.isArray(tenantIds)) {
    throw new WatchEventError(`tenantIds: found ${shown(tenantIds)}; allowed: a list of tenants`);
  }
  return [...new Set<unknown>(tenantIds)].map((tenantId) => {
    if (typeof tenantId === 'string' && known.includes(tenantId)) return tenantId;
    const names = known.slice(0, MAX_NAMES).join(', ');
    const more = known.length > MAX_NAMES ? ` and ${known.length - MAX_NAMES} more` : '';
    throw new WatchEventError(`tenantIds: found ${shown(tenantId)}; allowed: ${names}${more}`);
  });
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return JSON.stringify(value).slice(0, 60);
}

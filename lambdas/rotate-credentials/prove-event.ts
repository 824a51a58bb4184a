import { type ProveEvent } from '../../core/rotation/api-key-proof';
import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { isJsonObject } from '../../core/json/json-object';
import { readTenantIds, unknownField, wrongValue } from '../../core/events/event-values';

const FIELDS = ['action', 'tenantIds'];

/** An invalid event. The message names the field, the value found and the allowed values. */
export class ProveEventError extends Error {
  override readonly name = 'ProveEventError';
  readonly code = 'invalid_request';
}

/** Whether an event is no step of a rotation: those have no action. */
export function isProveEvent(event: unknown): event is Record<string, unknown> {
  return isJsonObject(event) && 'action' in event;
}

/** @throws {ProveEventError} */
export function parseProveEvent(
  event: Record<string, unknown>,
  { tenants }: Pick<DeploymentFile, 'tenants'>,
): ProveEvent {
  const unknown = unknownField(event, FIELDS);
  if (unknown !== undefined) throw new ProveEventError(unknown);
  const { action, tenantIds } = event as Partial<Record<keyof ProveEvent, unknown>>;
  if (action !== 'prove') throw new ProveEventError(wrongValue('action', action, '"prove"'));
  if (tenantIds === undefined) return { action };
  const known = tenants.map(({ tenantId }) => tenantId);
  const read = readTenantIds(tenantIds, known);
  if ('wrong' in read) throw new ProveEventError(read.wrong);
  return { action, ...read };
}

import { type SandboxClock } from '../sandbox-clock';
import { type SandboxVariables } from '../interception';
import { type Tenant } from '../tenants';
import { type ActingUser, requireOwnReferences } from './acting-user';
import { type AuditTrail, SYSTEM_ACCOUNT } from './audit-trail';
import { type ContentChanges, type NewItem } from './write-request';
import { moved, requireTransition, type WriteOperation } from './lifecycle';
import { type Processing } from './processing';
import { type Content, type Item, newId } from './records';

/** State used by writes. */
export interface WriteState {
  readonly audit: AuditTrail;
  readonly clock: SandboxClock;
  readonly processing: Processing;
}

/** A parsed and authorized write. */
interface Write {
  readonly operation: WriteOperation;
  readonly tenant: Tenant;
  readonly actingUser: ActingUser;
  readonly changes: ContentChanges;
  /**
   * Returns the content to change.
   * @throws {RefusedRequestError} if there is none
   */
  readonly find: (at: string) => Content;
  readonly reach: SandboxVariables['reach'];
}

/**
 * Performs a write. All checks come first, so content and audit trail either both change or both stay. A given collaboration
 * becomes the owner; an author alone leaves the owner unchanged.
 * @throws {RefusedRequestError} from `find`; 422 for wrong references, 409 for a wrong state, 502 for a failed dependency
 * @see platform specification, "Acting-user object", rules 1 to 3; "Errors", general rules 1 and 2
 */
export function commitWrite(write: Write, { audit, clock, processing }: WriteState): Content {
  const { operation, tenant, actingUser, changes, reach } = write;
  const nowMs = clock.nowMs();
  const at = new Date(nowMs).toISOString();

  reach('store');
  const before = write.find(at);
  reach('directory');
  requireOwnReferences(actingUser, tenant);
  requireTransition(operation, before, nowMs);
  reach('store');
  reach('audit');

  // Nothing below can fail.
  const { items, ...fields } = changes;
  const schedule = (type: Item['type']) => processing.schedule(type, tenant, nowMs);
  const after: Content = {
    ...moved(operation, before),
    ...fields,
    items: items?.map((item, rank) => newItem(item, rank, schedule)) ?? before.items,
    owner: actingUser.collaborationId ?? before.owner,
    updatedAt: at,
  };
  tenant.contents.put(after);
  audit.record({
    at,
    environment: tenant.environment,
    platformRegion: tenant.platformRegion,
    tenantId: tenant.tenantId,
    contentId: after.id,
    operation,
    actingUser: actingUser.authorRef ?? SYSTEM_ACCOUNT,
    owner: after.owner,
  });
  return after;
}

function newItem(
  { type, summary }: NewItem,
  rank: number,
  schedule: (type: Item['type']) => Item['schedule'],
): Item {
  return { id: newId(), type, rank, summary, schedule: schedule(type) };
}

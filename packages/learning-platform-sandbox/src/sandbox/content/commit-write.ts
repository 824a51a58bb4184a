import { type SandboxState } from '../sandbox-state';
import { type SandboxVariables } from '../interception';
import { type TenantReference } from '../deployment-key';
import { type Tenant } from '../tenants';
import { type ItemSchedule } from './item-schedule';
import { type ActingUser, requireOwnReferences } from './acting-user';
import { SYSTEM_ACCOUNT } from './audit-trail';
import { type ContentChanges } from './write-request';
import { afterTransition, requireTransition, type WriteOperation } from './lifecycle';
import { type Content, type ItemType, newId } from './records';

interface Write {
  readonly operation: WriteOperation;
  readonly tenant: Tenant;
  readonly actingUser: ActingUser;
  readonly changes: ContentChanges;
  /**
   * The content before the write: the stored one or, for create, an empty draft.
   * @throws {RefusedRequestError} if there is none
   */
  readonly contentBefore: (at: string) => Content;
  readonly requireDependency: SandboxVariables['requireDependency'];
}

/**
 * Performs a write. All checks come first, so content and audit trail either both change or both stay. A given collaboration
 * becomes the owner; an author alone leaves the owner unchanged.
 * @throws {RefusedRequestError} from `contentBefore`; 422 for wrong references, 409 for a wrong state, 502 for a failed dependency
 * @see platform specification, "Acting-user object", rules 1 to 3; "Errors", general rules 1 and 2
 */
export function commitWrite(write: Write, state: SandboxState): Content {
  const { operation, tenant, actingUser, changes, requireDependency } = write;
  const nowMs = state.clock.nowMs();
  const at = new Date(nowMs).toISOString();

  requireDependency('store');
  const before = write.contentBefore(at);
  requireDependency('directory');
  requireOwnReferences(actingUser, tenant);
  requireTransition(operation, before, nowMs);
  // The write below needs both.
  requireDependency('store');
  requireDependency('audit');

  // Nothing below can fail.
  const { items, ...fields } = changes;
  const after: Content = {
    ...afterTransition(operation, before),
    ...fields,
    items:
      items?.map(({ type, summary }, rank) => ({
        id: newId(),
        type,
        rank,
        summary,
        schedule: scheduleItem(type, tenant, state, nowMs),
      })) ?? before.items,
    owner: actingUser.collaborationId ?? before.owner,
    updatedAt: at,
  };
  tenant.contents.put(after);
  state.audit.add({
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

/** Schedules a new item and uses up a failure rule, so call it only after all checks. */
function scheduleItem(
  type: ItemType,
  { environment, platformRegion, tenantId }: TenantReference,
  { itemFailures, timing }: SandboxState,
  nowMs: number,
): ItemSchedule {
  const failureReason = itemFailures.take({ environment, platformRegion, tenantId, type });
  const startsAtMs = nowMs + timing.value.startsAfterSec * 1000;
  const endsAtMs = startsAtMs + timing.value.takesSec * 1000;
  return { startsAtMs, endsAtMs, ...(failureReason !== undefined && { failureReason }) };
}

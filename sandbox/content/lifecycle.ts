import { type SandboxClock } from '../clock';
import { RefusedRequestError } from '../errors';
import { type Tenant } from '../tenants';
import { type ActingUser } from './acting-user';
import { type AuditTrail, type Change, SYSTEM_ACCOUNT } from './audit-trail';
import { type Content } from './records';

/**
 * Restores or archives a content, and records who did it.
 *
 * Restore is a re-publish, not a rewind: whatever the content was before it was archived, it becomes `published`.
 * A collaboration that is named owns the content from then on; an author alone changes nothing about who owns it.
 * @throws {RefusedRequestError} 409 when there is nothing to restore, or the content is archived already
 * @see platform specification, "States and transitions" and "Acting-user object", rules 1 and 2
 */
export function changeLifecycle(
  operation: Change['operation'],
  tenant: Tenant,
  content: Content,
  { authorRef, collaborationId }: ActingUser,
  { clock, audit }: { readonly clock: SandboxClock; readonly audit: AuditTrail },
): void {
  const isArchived = content.status === 'archived';
  if (operation === 'restore' && !isArchived) {
    throw new RefusedRequestError(409, 'the content is not archived: there is nothing to restore');
  }
  if (operation === 'archive' && isArchived)
    throw new RefusedRequestError(409, 'the content is archived already');

  content.status = operation === 'restore' ? 'published' : 'archived';
  content.updatedAt = clock.nowIso();
  content.owner = collaborationId ?? content.owner;
  audit.record({
    at: content.updatedAt,
    tenantId: tenant.tenantId,
    contentId: content.id,
    operation,
    actingUser: authorRef ?? SYSTEM_ACCOUNT,
    owner: content.owner,
  });
}

import { isDeepStrictEqual } from 'node:util';
import { must } from './check';
import { type DeploymentKey, type ControlledTenant } from './tenant';

/** A content as control tells it, as far as checks look at it. */
export interface StoredContent {
  readonly id: string;
  readonly status: string;
  readonly author: string;
  readonly owner: string;
  readonly title: string;
  readonly deleted: boolean;
  readonly items: readonly { readonly summary: string; readonly status: string }[];
}

/** A line of a sandbox's audit trail, as far as checks look at it. */
export interface RecordedChange extends DeploymentKey {
  readonly tenantId: string;
  readonly contentId: string;
  readonly operation: string;
  readonly actingUser: string;
  readonly owner: string;
}

/** What the sandbox stores of a content at this time. */
export function storedContent(tenant: ControlledTenant, contentId: string): Promise<StoredContent> {
  return tenant.control('GET', `${contentsPath(tenant)}/${contentId}`);
}

/** The last recorded change of a content. @throws {ViolationError} when none is recorded */
export async function lastChange(tenant: ControlledTenant, contentId: string): Promise<RecordedChange> {
  const last = (await changes(tenant)).findLast((change) => change.contentId === contentId);
  must(last !== undefined, 'the change of the content is not recorded');
  return last;
}

/**
 * Does something that is to change nothing: neither the contents that are named, nor which there are, nor the audit trail.
 * Others are not compared: their items may be processed meanwhile.
 * @throws {ViolationError} when something changed
 */
export async function mustLeaveUnmodified(
  tenant: ControlledTenant,
  contentIds: readonly string[],
  act: () => Promise<void>,
): Promise<void> {
  const before = await whatIsStored(tenant, contentIds);
  await act();
  const after = await whatIsStored(tenant, contentIds);
  must(isDeepStrictEqual(after.contents, before.contents), 'the content was modified');
  must(isDeepStrictEqual(after.ids, before.ids), 'a content was made or removed');
  must(isDeepStrictEqual(after.changes, before.changes), 'a change was recorded');
}

/** Lets the sandbox's time pass until every item that is there now has been processed. */
export async function letItemsBeProcessed(tenant: ControlledTenant): Promise<void> {
  const { startsAfterSec, takesSec } = await tenant.control<{ startsAfterSec: number; takesSec: number }>(
    'GET',
    'processing',
  );
  await tenant.control('POST', 'clock', { advanceSec: startsAfterSec + takesSec });
}

/** Does something while the provisional parts of the interface are set otherwise. */
export async function withRestoreSet(
  tenant: ControlledTenant,
  settings: { readonly available?: boolean; readonly actingUserIn?: 'body' | 'header' },
  act: () => Promise<void>,
): Promise<void> {
  const before = await tenant.control('GET', 'restore');
  await tenant.control('POST', 'restore', settings);
  try {
    await act();
  } finally {
    await tenant.control('POST', 'restore', before);
  }
}

/** Does something while the tenant's requests to the content interface meet a fault. */
export async function withContentFault(
  tenant: ControlledTenant,
  fault: object,
  act: () => Promise<void>,
): Promise<void> {
  const { environment, platformRegion, tenantId } = tenant;
  await tenant.control('POST', 'faults', {
    target: 'content',
    match: { environment, platformRegion, tenantId },
    ...fault,
  });
  try {
    await act();
  } finally {
    await tenant.control('DELETE', 'faults');
  }
}

async function whatIsStored(tenant: ControlledTenant, contentIds: readonly string[]) {
  const { contents } = await tenant.control<{ contents: StoredContent[] }>('GET', contentsPath(tenant));
  return {
    contents: contents.filter(({ id }) => contentIds.includes(id)),
    ids: contents.map(({ id }) => id),
    changes: await changes(tenant),
  };
}

async function changes(tenant: ControlledTenant): Promise<readonly RecordedChange[]> {
  const { changes } = await tenant.control<{ changes: RecordedChange[] }>('GET', 'audit');
  return changes.filter(({ tenantId }) => tenantId === tenant.tenantId);
}

function contentsPath({
  environment,
  platformRegion,
  tenantId,
}: DeploymentKey & { tenantId: string }): string {
  return `contents/${environment}/${platformRegion}/${tenantId}`;
}

import { isDeepStrictEqual } from 'node:util';
import { must } from './check';
import { ControlRefusedError } from './control-client';
import {
  type ActingUserHeaders,
  type DeploymentKey,
  type ControlledTenant,
  NotExaminableError,
} from './tenant';

/** A content as control returns it; only the fields that checks use. */
export interface StoredContent {
  readonly id: string;
  readonly status: string;
  readonly author: string;
  readonly owner: string;
  readonly title: string;
  readonly deleted: boolean;
  readonly items: readonly { readonly summary: string; readonly status: string }[];
}

/** An entry of the sandbox's audit trail; only the fields that checks use. */
export interface RecordedChange extends DeploymentKey {
  readonly tenantId: string;
  readonly contentId: string;
  readonly operation: string;
  readonly actingUser: string;
  readonly owner: string;
}

/** The current stored state of a content. */
export function storedContent(tenant: ControlledTenant, contentId: string): Promise<StoredContent> {
  return tenant.control('GET', `${contentsPath(tenant)}/${contentId}`);
}

/** The last recorded change of a content. @throws {ViolationError} if none is recorded */
export async function lastChange(tenant: ControlledTenant, contentId: string): Promise<RecordedChange> {
  const last = (await changes(tenant)).findLast((change) => change.contentId === contentId);
  must(last !== undefined, 'the change of the content is not recorded');
  return last;
}

/**
 * Calls `act` and checks that the given contents, the set of contents and the audit trail are unchanged. Other contents are not
 * compared, because their items may be processed meanwhile.
 * @throws {ViolationError} if something changed
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
  must(isDeepStrictEqual(after.ids, before.ids), 'a content was created or deleted');
  must(isDeepStrictEqual(after.changes, before.changes), 'a change was recorded');
}

/** Moves the sandbox's clock forward until all current items are processed. */
export async function letItemsBeProcessed(tenant: ControlledTenant): Promise<void> {
  const { startsAfterSec, takesSec } = await tenant.control<{ startsAfterSec: number; takesSec: number }>(
    'GET',
    'processing',
  );
  await tenant.control('POST', 'clock', { advanceSec: startsAfterSec + takesSec });
}

/** Calls `act` with changed settings of restore, and restores the settings afterwards. */
export async function withRestoreSet(
  tenant: ControlledTenant,
  settings: {
    readonly available?: boolean;
    readonly actingUserIn?: 'body' | 'header';
    readonly actingUserHeaders?: ActingUserHeaders;
  },
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

/** Calls `act` with a fault on the tenant's content requests, and deletes all faults afterwards. */
export async function withContentFault(
  tenant: ControlledTenant,
  fault: object,
  act: () => Promise<void>,
): Promise<void> {
  const { environment, platformRegion, tenantId } = tenant;
  const asked = { target: 'content', match: { environment, platformRegion, tenantId }, ...fault };
  await tenant.control('POST', 'faults', asked).catch((error: unknown) => {
    // Behind API Gateway, nothing can be done to connections.
    if (!(error instanceof ControlRefusedError && error.status === 400)) throw error;
    throw new NotExaminableError('the sandbox does not support the fault, which depends on its server');
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

import { type HttpRequest, type Send } from '../../../../platform/conformance/https-requests';
import { basic } from '../../../../platform/conformance/requests';
import {
  type Control,
  controlAt,
  ControlRefusedError,
} from '../../../../platform/conformance/control-client';
import { type RecordedChange, type StoredContent } from '../../../../platform/conformance/stored-contents';
import { type DeploymentKey } from '../../../../platform/conformance/tenant';
import { deploymentKeyOf, pathOf } from './operations';

/** The tenant key in control requests. */
export type TenantName = DeploymentKey & { readonly tenantId: string };

/** A tenant as control returns it. */
export type Tenant = TenantName & {
  readonly authorRefs: readonly [string, ...string[]];
  readonly collaborationIds: readonly [string, ...string[]];
};

/** The acting user of changes without an author. */
export const SYSTEM_ACCOUNT = 'system account';

/** Control of the sandbox that a request is for. */
export function controlOf(asked: HttpRequest, sandbox: Send): Control {
  return controlAt(`${new URL(asked.url).origin}/_sandbox`, sandbox);
}

/** All tenants of the sandbox. */
export async function tenantsOf(asked: HttpRequest, sandbox: Send): Promise<readonly Tenant[]> {
  return (await controlOf(asked, sandbox)<{ tenants: Tenant[] }>('GET', 'tenants')).tenants;
}

/** The content in the path of a content request, and its tenant. Also finds deleted contents. */
export async function storedContentOf(
  asked: HttpRequest,
  sandbox: Send,
): Promise<{ tenant: Tenant; content: StoredContent } | undefined> {
  const contentId = /\/contents\/([^/]+)/.exec(pathOf(asked))?.[1];
  const { environment, platformRegion } = deploymentKeyOf(asked);
  const tenants = await tenantsOf(asked, sandbox);
  for (const tenant of tenants) {
    if (tenant.environment !== environment || tenant.platformRegion !== platformRegion) continue;
    const content = await orUndefined(
      controlOf(asked, sandbox)<StoredContent>('GET', `${contentsPath(tenant)}/${contentId}`),
    );
    if (content) return { tenant, content };
  }
  return undefined;
}

/** The stored content of a recorded change. */
export function changedContent(
  change: RecordedChange,
  asked: HttpRequest,
  sandbox: Send,
): Promise<StoredContent> {
  return controlOf(asked, sandbox)('GET', `${contentsPath(change)}/${change.contentId}`);
}

/** The recorded changes, oldest first. */
export async function recordedChanges(asked: HttpRequest, sandbox: Send): Promise<readonly RecordedChange[]> {
  return (await controlOf(asked, sandbox)<{ changes: RecordedChange[] }>('GET', 'audit')).changes;
}

/** The Authorization header for a new API key of a tenant; undefined if there is no such tenant. */
export async function newKey(
  { environment, platformRegion, tenantId }: TenantName,
  asked: HttpRequest,
  sandbox: Send,
): Promise<string | undefined> {
  const generated = await orUndefined(
    controlOf(asked, sandbox)<{ apiKey: string }>('POST', 'api-keys', {
      environment,
      platformRegion,
      tenantId,
    }),
  );
  return generated && basic(tenantId, generated.apiKey);
}

/** The current settings of restore. */
export function restoreSettings(
  asked: HttpRequest,
  sandbox: Send,
): Promise<{ available: boolean; actingUserIn: 'body' | 'header' }> {
  return controlOf(asked, sandbox)('GET', 'restore');
}

async function orUndefined<T>(answered: Promise<T>): Promise<T | undefined> {
  try {
    return await answered;
  } catch (error) {
    if (error instanceof ControlRefusedError) return undefined;
    throw error;
  }
}

function contentsPath({ environment, platformRegion, tenantId }: TenantName): string {
  return `contents/${environment}/${platformRegion}/${tenantId}`;
}

/** A user of the tenant whose content is in the path of a request. */
export async function ownAuthor(asked: HttpRequest, sandbox: Send): Promise<string | undefined> {
  return (await storedContentOf(asked, sandbox))?.tenant.authorRefs[0];
}

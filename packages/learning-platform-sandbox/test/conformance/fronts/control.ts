import { type HttpRequest, type Send } from '../../../src/conformance/https-requests';
import { basic } from '../../../src/conformance/requests';
import { type Control, controlAt } from '../../../src/testing/control';
import { type Tenant, type TenantName } from '../../../src/testing/sandbox-tenant';
import { deploymentKeyOf, pathOf } from './operations';

/** A content as control returns it. */
export interface StoredContent {
  readonly id: string;
  readonly status: string;
  readonly deleted: boolean;
}

/** Control of the sandbox that a request is for. */
export function controlOf(asked: HttpRequest, sandbox: Send): Control {
  return controlAt(`${new URL(asked.url).origin}/_sandbox`, sandbox);
}

/** All tenants of the sandbox. */
async function tenantsOf(asked: HttpRequest, sandbox: Send): Promise<readonly Tenant[]> {
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

/** Undefined if control refuses. */
function orUndefined<T>(answered: Promise<T>): Promise<T | undefined> {
  return answered.catch(() => undefined);
}

function contentsPath({ environment, platformRegion, tenantId }: TenantName): string {
  return `contents/${environment}/${platformRegion}/${tenantId}`;
}

/** A user of the tenant whose content is in the path of a request. */
export async function ownAuthor(asked: HttpRequest, sandbox: Send): Promise<string | undefined> {
  return (await storedContentOf(asked, sandbox))?.tenant.authorRefs[0];
}

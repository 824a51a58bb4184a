import { isPlatformContentId } from '../../core/restore/content-id';
import { type DeploymentFile } from '../../core/deployment/deployment-file';

/** Words in the sandbox's paths besides those of addresses and token endpoints. */
const PLATFORM_WORDS = ['contents', 'archive', 'restore', 'tenants', 'whoami'];

/** A content id that a caller sent; undefined if it does not look like one, since it may be a secret. */
export function shownContentId(text: string): string | undefined {
  return isPlatformContentId(text) ? text : undefined;
}

/** The words and ids that may be shown: those in addresses (also issuers) and token endpoints, and configured tenants. */
export function knownSegments(deployments: readonly DeploymentFile[]): ReadonlySet<string> {
  const addresses = deployments.flatMap(({ platform }) => Object.values(platform) as (string | undefined)[]);
  return new Set([
    ...PLATFORM_WORDS,
    ...addresses.flatMap((address) => (address === undefined ? [] : new URL(address).pathname.split('/'))),
    ...deployments.flatMap(({ profile }) => profile.tokenEndpoint.path.split('/')),
    ...deployments.flatMap(({ tenants }) => tenants.map(({ tenantId }) => tenantId)),
  ]);
}

/** The path with `…` for each segment that is neither known nor a content id, since it may be a secret. */
export function shownPath(path: string, known: ReadonlySet<string>): string {
  return path
    .split('/')
    .map((segment) => (known.has(segment) ? segment : (shownContentId(segment) ?? '…')))
    .join('/');
}

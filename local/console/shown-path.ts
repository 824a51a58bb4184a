import { isPlatformContentId } from '../../contract/content-id';
import { type DeploymentFile } from '../../contract/deployment-file';

/** Parts of the platform's paths that its specification names. */
const PLATFORM_WORDS = ['oauth2', 'token', 'contents', 'archive', 'restore', 'tenants'];

/** What may be shown of a content id that somebody sent: nothing of what does not look like one. */
export function shownContentId(text: string): string | undefined {
  return isPlatformContentId(text) ? text : undefined;
}

/** Everything that may be shown of paths to the platform: words of its addresses, and tenants that are configured. */
export function knownSegments(deployments: readonly DeploymentFile[]): ReadonlySet<string> {
  const addresses = deployments.flatMap(({ platform }) => Object.values(platform) as (string | undefined)[]);
  return new Set([
    ...PLATFORM_WORDS,
    ...addresses.flatMap((address) => (address === undefined ? [] : new URL(address).pathname.split('/'))),
    ...deployments.flatMap(({ tenants }) => tenants.map(({ tenantId }) => tenantId)),
  ]);
}

/** A path with `…` in place of every part that is neither known nor a content id: a caller may have put a secret there. */
export function shownPath(path: string, known: ReadonlySet<string>): string {
  return path
    .split('/')
    .map((segment) => (known.has(segment) ? segment : (shownContentId(segment) ?? '…')))
    .join('/');
}

import { type Cell, cellName } from './seed';

/**
 * Base paths of one cell. The specification gives addresses as placeholders; one origin serves all of them here, and the
 * paths keep them apart. The token paths hang off the cell, not off the content interface's version path.
 * @see platform specification, "Address placeholders"
 */
export function cellPaths(cell: Cell) {
  const prefix = `/${cellName(cell)}`;
  return {
    content: `${prefix}/rest/v1`,
    contentToken: `${prefix}/auth`,
    webhooks: `${prefix}/webhooks/v1`,
    webhooksToken: `${prefix}/webhooks-auth`,
  };
}

/** Base path of the tenant service, of which there is one for staging and one for live, whatever the platform region. */
export function tenantServicePath(environment: Cell['environment']): string {
  return `/tenant-service/${environment === 'production' ? 'live' : 'staging'}`;
}

/** Base path of the sandbox's own control interface. */
export const CONTROL_PATH = '/_sandbox';

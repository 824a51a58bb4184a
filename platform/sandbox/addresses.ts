import { type ConnectionAttributes } from './fault';
import { type DeploymentKey, deploymentName } from './deployment-key';

/** Base path of the sandbox's own control interface. */
export const CONTROL_PATH = '/_sandbox';

const ENVIRONMENTS: readonly DeploymentKey['environment'][] = ['staging', 'production'];

/** What has an address of its own. */
export interface Part {
  /** Base path: what the part answers begins with it. */
  readonly path: string;
  /** What faults match in a connection to it. The control meets no faults, and has none. */
  readonly connection?: ConnectionAttributes;
}

/** Where everything is: absolute addresses without a slash at the end. */
export interface Addresses {
  readonly control: string;
  readonly cells: readonly (DeploymentKey & {
    readonly contentBaseUrl: string;
    readonly contentTokenBaseUrl: string;
    readonly webhooksBaseUrl: string;
    readonly webhooksTokenBaseUrl: string;
  })[];
  readonly tenantServices: { readonly staging: string; readonly live: string };
}

/**
 * Base paths of one deployment. The specification gives addresses as placeholders; one origin serves all of them here, and the
 * paths keep them apart. The token paths hang off the deployment, not off the content interface's version path.
 * @see platform specification, "Address placeholders"
 */
export function deploymentPaths(deploymentKey: DeploymentKey) {
  const prefix = `/${deploymentName(deploymentKey)}`;
  return {
    content: `${prefix}/rest/v1`,
    contentToken: `${prefix}/auth`,
    webhooks: `${prefix}/webhooks/v1`,
    webhooksToken: `${prefix}/webhooks-auth`,
  };
}

/** Base path of the tenant service, of which there is one for staging and one for live, whatever the platform region. */
export function tenantServicePath(environment: DeploymentKey['environment']): string {
  return `/tenant-service/${environment === 'production' ? 'live' : 'staging'}`;
}

/** Everything that a sandbox of these deployments serves: the control, the bases of each deployment, the tenant services. */
export function partsOf(cells: readonly DeploymentKey[]): Part[] {
  return [
    { path: CONTROL_PATH },
    ...cells.flatMap(({ environment, platformRegion }): Part[] => {
      const deploymentKey = { environment, platformRegion };
      const paths = deploymentPaths(deploymentKey);
      return [
        {
          path: paths.content,
          connection: { faultPoint: 'content', ...deploymentKey, interface: 'content' },
        },
        {
          path: paths.contentToken,
          connection: { faultPoint: 'token', ...deploymentKey, interface: 'content' },
        },
        {
          path: paths.webhooks,
          connection: { faultPoint: 'webhooks', ...deploymentKey, interface: 'webhooks' },
        },
        {
          path: paths.webhooksToken,
          connection: { faultPoint: 'token', ...deploymentKey, interface: 'webhooks' },
        },
      ];
    }),
    ...ENVIRONMENTS.map((environment): Part => ({
      path: tenantServicePath(environment),
      connection: { faultPoint: 'tenants', environment },
    })),
  ];
}

/** The addresses of a sandbox of these cells. @param originOf where the part with that base path is served */
export function addressesOf(cells: readonly DeploymentKey[], originOf: (path: string) => string): Addresses {
  const at = (path: string) => `${originOf(path)}${path}`;
  return {
    control: at(CONTROL_PATH),
    cells: cells.map(({ environment, platformRegion }) => {
      const paths = deploymentPaths({ environment, platformRegion });
      return {
        environment,
        platformRegion,
        contentBaseUrl: at(paths.content),
        contentTokenBaseUrl: at(paths.contentToken),
        webhooksBaseUrl: at(paths.webhooks),
        webhooksTokenBaseUrl: at(paths.webhooksToken),
      };
    }),
    tenantServices: {
      staging: at(tenantServicePath('staging')),
      live: at(tenantServicePath('production')),
    },
  };
}

import { z } from '@hono/zod-openapi';
import { type ConnectionAttributes, type FaultPoint } from './fault';
import { type DeploymentKey, deploymentKeySchema, deploymentName, type Interface } from './deployment-key';
import { WHOAMI_PATH } from './issuers/issuer-interface';

/** Base path of the control interface. */
export const CONTROL_PATH = '/_sandbox';

/** What a sandbox serves, as far as addresses are concerned. */
export interface Served {
  readonly deployments: readonly DeploymentKey[];
  readonly issuers: Iterable<{ readonly name: string }>;
}

export const ENVIRONMENTS: readonly DeploymentKey['environment'][] = ['staging', 'production'];

/** A part of the sandbox with its own base path. */
export interface Part {
  /** Prefix of all paths that the part serves. */
  readonly path: string;
  /** The attributes that faults match. Undefined for control, which faults never affect. */
  readonly connection?: ConnectionAttributes;
}

/** All addresses, absolute and without a trailing slash. */
export const addressesSchema = z
  .strictObject({
    control: z.string(),
    deployments: z.array(
      deploymentKeySchema.extend({
        contentBaseUrl: z.string(),
        contentTokenBaseUrl: z.string(),
        webhooksBaseUrl: z.string(),
        webhooksTokenBaseUrl: z.string(),
      }),
    ),
    tenantServices: z.strictObject({ staging: z.string(), live: z.string() }),
    issuers: z.array(
      z.strictObject({
        name: z.string(),
        tokenBaseUrl: z.string().describe('The path of the token endpoint in the profile follows.'),
        whoamiUrl: z.string().describe('GET: 200 with a token of the issuer, 401 otherwise.'),
      }),
    ),
  })
  .openapi('Addresses');
export type Addresses = z.output<typeof addressesSchema>;

/**
 * Base paths of one deployment. The specification gives addresses as placeholders; here one origin serves all of them, under
 * separate paths. Token paths do not include the content interface's version.
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

/** Base path of the tenant service. Each environment has one for all platform regions. */
export function tenantServicePath(environment: DeploymentKey['environment']): string {
  return `/tenant-service/${environment === 'production' ? 'live' : 'staging'}`;
}

/** Base path of an issuer of the seed. */
export function issuerPath(name: string): string {
  return `/issuers/${name}`;
}

/** All parts that a sandbox serves: control, the deployments' bases, the tenant services, the issuers. */
export function partsOf({ deployments, issuers }: Served): Part[] {
  return [
    { path: CONTROL_PATH },
    ...deployments.flatMap(({ environment, platformRegion }): Part[] => {
      const paths = deploymentPaths({ environment, platformRegion });
      const part = (path: string, faultPoint: FaultPoint, interfaceName: Interface): Part => ({
        path,
        connection: { faultPoint, environment, platformRegion, interface: interfaceName },
      });
      return [
        part(paths.content, 'content', 'content'),
        part(paths.contentToken, 'token', 'content'),
        part(paths.webhooks, 'webhooks', 'webhooks'),
        part(paths.webhooksToken, 'token', 'webhooks'),
      ];
    }),
    ...ENVIRONMENTS.map((environment): Part => ({
      path: tenantServicePath(environment),
      connection: { faultPoint: 'tenants', environment },
    })),
    ...[...issuers].map(({ name }): Part => ({
      path: issuerPath(name),
      connection: { faultPoint: 'token', issuer: name },
    })),
  ];
}

/** The addresses of a sandbox. @param originOf returns the origin for a base path */
export function addressesOf({ deployments, issuers }: Served, originOf: (path: string) => string): Addresses {
  const at = (path: string) => `${originOf(path)}${path}`;
  return {
    control: at(CONTROL_PATH),
    deployments: deployments.map(({ environment, platformRegion }) => {
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
    issuers: [...issuers].map(({ name }) => ({
      name,
      tokenBaseUrl: at(issuerPath(name)),
      whoamiUrl: `${at(issuerPath(name))}${WHOAMI_PATH}`,
    })),
  };
}

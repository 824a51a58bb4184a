import { randomBytes } from 'node:crypto';

import { type PlatformAddresses } from '../../../core/deployment/deployment-file';
import { type DeploymentKey, deploymentName } from '../../../core/tokens/token-key';
import { type Place } from './ports';

/** The deployment that is proven. */
export const PROVEN_DEPLOYMENT = {
  environment: 'staging',
  platformRegion: 'global',
} as const satisfies DeploymentKey;
/** Its tenants, which the sandbox has too. */
export const PROVEN_TENANTS = ['eu-west-2_StagingOne', 'eu-west-2_StagingTwo'] as const;
/** The tokens of each. */
export const PROVEN_TOKENS = [
  { interface: 'content', scope: 'api/read' },
  { interface: 'content', scope: 'api/write' },
] as const;

/** The stacks of the deployment, of what the run itself needs, and of the sandbox. */
export const stacksOf = (prefix: string) => ({
  deployment: `${prefix}-${deploymentName(PROVEN_DEPLOYMENT)}`,
  run: `${prefix}-run`,
  sandbox: `${prefix}-sandbox`,
});

/** A prefix that no other run has. None is the beginning of another. */
export function newPrefix(): string {
  return `prove-${randomBytes(4).toString('hex')}`;
}

export interface ProvenConfiguration {
  readonly prefix: string;
  readonly place: Pick<Place, 'accountId' | 'region'>;
  readonly platform: PlatformAddresses;
  /** Settings of the deployment besides the usual ones. @default none */
  readonly settings?: object;
}

/** The configuration file of a run, in the form that users write. */
export function configurationOf({ prefix, place, platform, settings }: ProvenConfiguration): object {
  const { environment, platformRegion } = PROVEN_DEPLOYMENT;
  const deployment = {
    ...PROVEN_DEPLOYMENT,
    account: place.accountId,
    region: place.region,
    restore: { available: true },
    // New accounts have too few concurrent executions to reserve any.
    reservedConcurrency: 'none',
    logRetentionDays: 1,
    tenants: PROVEN_TENANTS.map((tenantId) => ({ tenantId, tokens: PROVEN_TOKENS })),
    ...settings,
  };
  return {
    prefix,
    // The account's logging role is not ours to change.
    apiGatewayAccount: 'existing',
    endpoints: { [environment]: { [platformRegion]: platform } },
    deployments: [deployment],
  };
}

/** The platform's addresses. @param origin of the sandbox, with its path; by default one that stands for it before it is deployed */
export function platformAt(origin = 'https://sandbox.example.com'): PlatformAddresses {
  const { environment, platformRegion } = PROVEN_DEPLOYMENT;
  const base = `${origin}/${environment}/${platformRegion}`;
  return {
    contentBaseUrl: `${base}/rest/v1`,
    contentTokenBaseUrl: `${base}/auth`,
    webhooksBaseUrl: `${base}/webhooks/v1`,
    webhooksTokenBaseUrl: `${base}/webhooks-auth`,
    tenantServiceUrl: `${origin}/tenant-service/${environment}`,
  };
}

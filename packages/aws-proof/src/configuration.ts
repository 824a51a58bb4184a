import { type PlatformAddresses } from '../../../core/deployment/deployment-file';
import { type DeploymentKey, deploymentName } from '../../../core/tokens/token-key';
import { type AwsLocation } from './ports';

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

/** The names of the stacks: of the deployment, of what the run itself needs, and of the sandbox. */
export const stackNamesOf = (prefix: string) => ({
  deployment: `${prefix}-${deploymentName(PROVEN_DEPLOYMENT)}`,
  run: `${prefix}-run`,
  sandbox: `${prefix}-sandbox`,
});

export interface ProvenConfiguration {
  readonly prefix: string;
  readonly location: Pick<AwsLocation, 'accountId' | 'region'>;
  readonly platform: PlatformAddresses;
  /** Settings of the deployment besides the usual ones. @default none */
  readonly settings?: object;
}

/** The configuration file of a run, in the form that users write. */
export function configurationOf({ prefix, location, platform, settings }: ProvenConfiguration): object {
  const { environment, platformRegion } = PROVEN_DEPLOYMENT;
  const deployment = {
    ...PROVEN_DEPLOYMENT,
    account: location.accountId,
    region: location.region,
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

/** The platform's addresses. @param origin of the sandbox, with its path; by default a placeholder, until the sandbox is deployed */
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

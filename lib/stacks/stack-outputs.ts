import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { RegionInfo } from 'aws-cdk-lib/region-info';

import { placeFlags } from '../../core/commands/place-flags';
import { deploymentPath } from '../../core/secrets/secret-names';
import { type DeploymentKey, type TenantKey } from '../../core/tokens/token-key';
import { dashboardName } from '../constructs/observability/deployment-dashboard';

/** What `cdk deploy` prints after a deployment: where its dashboard and parameters are, and how to check it. */
export function addDeploymentOutputs(
  stack: Stack,
  prefix: string,
  deployment: DeploymentKey & { dashboard: boolean },
): void {
  const path = deploymentPath(prefix, deployment);
  if (deployment.dashboard) {
    const value = dashboardUrl(stack.region, dashboardName(prefix, deployment, stack.region));
    new CfnOutput(stack, 'DashboardUrl', { value });
  }
  new CfnOutput(stack, 'ParameterPath', {
    value: `/${path}/`,
    description: `Path of the SSM parameters with function ARNs${deployment.issuer === undefined ? ' and the restore API’s URL' : ''}`,
  });
  new CfnOutput(stack, 'CheckCommand', {
    value: `npx latchkey doctor ${placeFlags(deployment)}`,
    description: 'Says what is missing or wrong',
  });
}

/** What `cdk deploy` prints after a tenant: how to load its client credentials. */
export function addTenantOutputs(stack: Stack, tenantKey: TenantKey): void {
  new CfnOutput(stack, 'NextCommand', {
    value: `npx latchkey credentials put ${placeFlags(tenantKey)}`,
    description: 'Loads the client id and secret from the issuer’s support',
  });
}

/** @see https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/partitions.html (each partition has its own console) */
function dashboardUrl(region: string, name: string): string {
  return `https://${consoleHost(region)}/cloudwatch/home?region=${region}#dashboards/dashboard/${name}`;
}

/** An unknown region, as in an environment-agnostic stack, is taken for one of the partition `aws`. */
function consoleHost(region: string): string {
  switch (RegionInfo.get(region).partition) {
    case 'aws-cn':
      return 'console.amazonaws.cn';
    case 'aws-us-gov':
      return 'console.amazonaws-us-gov.com';
    default:
      return `${region}.console.aws.amazon.com`;
  }
}

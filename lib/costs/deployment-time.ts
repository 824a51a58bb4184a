import { type DeploymentConfiguration } from '../config/schema';
import { sum } from './sum';

/** `cdk deploy --concurrency`: fast, and few enough that CloudFormation does not throttle the CDK's polling. */
const CONCURRENCY = 10;

/** Assumed times in minutes, rounded up; AWS promises none. Logging role and deployment: about 130 resources. */
const DEPLOYMENT_MIN = 6;
/** A tenant's stack: about ten resources, most of them secrets with policies. */
const TENANT_MIN = 1;

/** Below this, nobody needs to plan. */
const NOTABLE_MIN = 30;

/** The estimated minutes of a first deployment, `concurrency` stacks at a time. */
export function firstDeploymentMin(
  deployments: readonly Pick<DeploymentConfiguration, 'tenants'>[],
  concurrency: number,
): number {
  const tenants = sum(deployments.map((deployment) => deployment.tenants.length));
  return (
    Math.ceil(deployments.length / concurrency) * DEPLOYMENT_MIN +
    Math.ceil(tenants / concurrency) * TENANT_MIN
  );
}

/** The line about a long first deployment; none if it is short. */
export function deploymentTimeNotice(
  deployments: readonly Pick<DeploymentConfiguration, 'tenants'>[],
): string[] {
  const oneByOne = firstDeploymentMin(deployments, 1);
  if (oneByOne < NOTABLE_MIN) return [];
  const parallel = hoursAndMinutes(firstDeploymentMin(deployments, CONCURRENCY));
  return [
    `First deployment: about ${hoursAndMinutes(oneByOne)}, or ${parallel} with npx cdk deploy --all --concurrency ${CONCURRENCY} (estimates)`,
  ];
}

/** `5 h 6 min` */
function hoursAndMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours === 0 ? [] : [`${hours} h`]), ...(rest === 0 ? [] : [`${rest} min`])].join(' ');
}

import { type DeploymentConfiguration } from '../config/schema';
import { sum } from './sum';

/** `cdk deploy --concurrency`: fast, and few enough that CloudFormation throttles little of the CDK's polling. */
const CONCURRENCY = 10;

/**
 * Deploys many stacks. With more than one at a time, CDK asks for no approval but fails where it would. With change sets, which are its
 * default, a deployment that is repeated is slow enough for CloudFormation's rates.
 * @see https://docs.aws.amazon.com/cdk/v2/guide/ref-cli-cmd-deploy.html
 */
const DEPLOY_MANY = `npx cdk deploy --all --concurrency ${CONCURRENCY} --require-approval never`;

/** Assumed times in minutes, rounded up; AWS promises none. Logging role and deployment: about 130 resources. */
const DEPLOYMENT_MIN = 6;
/** A tenant's stack: about ten resources, most of them secrets with policies. Public logs show 2 to 3 s for each, in parallel. */
const TENANT_MIN = 0.5;

/** Below this, nobody needs to plan. */
const NOTABLE_MIN = 30;

/** The estimated minutes of a first deployment, `concurrency` stacks at a time. */
export function firstDeploymentMin(
  deployments: readonly Pick<DeploymentConfiguration, 'tenants'>[],
  concurrency: number,
): number {
  const tenants = sum(deployments.map((deployment) => deployment.tenants.length));
  return Math.ceil(
    Math.ceil(deployments.length / concurrency) * DEPLOYMENT_MIN +
      Math.ceil(tenants / concurrency) * TENANT_MIN,
  );
}

/** The lines about a long first deployment, with the command that shortens it; none if it is short. */
export function deploymentTimeNotice(
  deployments: readonly Pick<DeploymentConfiguration, 'tenants'>[],
): string[] {
  const oneByOne = firstDeploymentMin(deployments, 1);
  if (oneByOne < NOTABLE_MIN) return [];
  const parallel = hoursAndMinutes(firstDeploymentMin(deployments, CONCURRENCY));
  return [
    `First deployment: about ${hoursAndMinutes(oneByOne)} one stack at a time; ${parallel} with ${CONCURRENCY} at a time (estimates)`,
    `  ${DEPLOY_MANY}`,
  ];
}

/** `5 h 6 min` */
function hoursAndMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours === 0 ? [] : [`${hours} h`]), ...(rest === 0 ? [] : [`${rest} min`])].join(' ');
}

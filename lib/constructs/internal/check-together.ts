import { type IConstruct } from 'constructs';

import { deploymentText, isSameDeployment } from '../../../core/tokens/token-key';
import { configurationOf, toConstructIssue, isAboutOptions } from '../../options/checked-options';
import { type ConfigurationIssue, issueLine } from '../../options/configuration-issue';
import { crossIssues } from '../../options/rules';
import { type CheckedOptions } from '../../options/schema';
import { areApart } from './are-apart';

const DEPLOYMENT = Symbol.for('latchkey.Deployment');

/** A deployment of an app. */
export interface AppDeployment extends IConstruct {
  readonly prefix: string;
  readonly options: CheckedOptions;
}

/** Makes an app check its deployments together, when it is synthesized: no constructor sees those that come after it. */
export function checkWithOthers(deployment: AppDeployment): void {
  Object.defineProperty(deployment, DEPLOYMENT, { value: true });
  deployment.node.addValidation({ validate: () => faultsWithOthers(deployment) });
}

/** The rules of the configuration file between deployments that have the same prefix. */
function faultsWithOthers(deployment: AppDeployment): string[] {
  const all = deployment.node.root.node
    .findAll()
    .filter((each): each is AppDeployment => DEPLOYMENT in each)
    .filter((each) => each.prefix === deployment.prefix);
  const twin = all.find((each) => isTwin(deployment, each) && !areApart(deployment, each));
  if (twin !== undefined && all.indexOf(twin) < all.indexOf(deployment)) {
    return [
      `environment: found ${deploymentText(deployment.options)}, as at ${twin.node.path}; ` +
        'allowed: each environment × platform region only once per account and AWS region, or another prefix',
    ];
  }
  // The same deployment in another account or region has the same tenants, with addresses and secrets of its own.
  const distinct = all.filter((each, index) => !all.slice(0, index).some((other) => isTwin(each, other)));
  const index = distinct.indexOf(deployment);
  if (index === -1) return [];
  return crossIssues(configurationOf(distinct.map(({ options }) => options)))
    .filter((issue) => isAboutOptions(issue) && isOf(deployment, index, issue))
    .map((issue) => issueLine(toConstructIssue({ ...issue, allowed: withPaths(issue.allowed, distinct) })));
}

function isTwin(one: AppDeployment, other: AppDeployment): boolean {
  return one !== other && isSameDeployment(one.options, other.options);
}

function isOf(
  { options: { environment, platformRegion } }: AppDeployment,
  index: number,
  { path }: ConfigurationIssue,
): boolean {
  const [field, first, second] = path;
  return field === 'endpoints'
    ? first === environment && second === platformRegion
    : field === 'deployments' && first === index;
}

/** Replaces the index of each deployment by the path of its construct. */
function withPaths(text: string, all: readonly AppDeployment[]): string {
  const byAddress = all.reduce(
    (changed, { options: { environment, platformRegion }, node }) =>
      changed.replaceAll(`endpoints.${environment}.${platformRegion}`, `endpoints of ${node.path}`),
    text,
  );
  return byAddress.replaceAll(/deployments\[(\d+)\]/g, (_, index: string) => all[Number(index)]!.node.path);
}

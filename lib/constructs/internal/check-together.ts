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
  const peers = deployment.node.root.node
    .findAll()
    .filter((construct): construct is AppDeployment => DEPLOYMENT in construct)
    .filter(({ prefix }) => prefix === deployment.prefix);
  const twin = peers.find((peer) => isTwin(deployment, peer) && !areApart(deployment, peer));
  if (twin !== undefined && peers.indexOf(twin) < peers.indexOf(deployment)) {
    return [
      `environment: found ${deploymentText(deployment.options)}, as at ${twin.node.path}; ` +
        'allowed: each environment × platform region only once per account and AWS region, or another prefix',
    ];
  }
  // The same deployment in another account or region has the same tenants, with addresses and secrets of its own.
  const distinct = peers.filter((one, index) => !peers.slice(0, index).some((other) => isTwin(one, other)));
  const index = distinct.indexOf(deployment);
  if (index === -1) return [];
  return crossIssues(configurationOf(distinct.map(({ options }) => options)))
    .filter((issue) => isAboutOptions(issue) && isAbout(deployment, index, issue))
    .map((issue) => issueLine(toConstructIssue({ ...issue, allowed: withPaths(issue.allowed, distinct) })));
}

function isTwin(one: AppDeployment, other: AppDeployment): boolean {
  return one !== other && isSameDeployment(one.options, other.options);
}

function isAbout(
  { options: { environment, platformRegion } }: AppDeployment,
  index: number,
  { path }: ConfigurationIssue,
): boolean {
  return path[0] === 'endpoints'
    ? path[1] === environment && path[2] === platformRegion
    : path[0] === 'deployments' && path[1] === index;
}

/** Replaces the index of each deployment by the path of its construct. */
function withPaths(text: string, peers: readonly AppDeployment[]): string {
  const byAddress = peers.reduce(
    (changed, { options: { environment, platformRegion }, node }) =>
      changed.replaceAll(`endpoints.${environment}.${platformRegion}`, `endpoints of ${node.path}`),
    text,
  );
  return byAddress.replaceAll(/deployments\[(\d+)\]/g, (_, index: string) => peers[Number(index)]!.node.path);
}

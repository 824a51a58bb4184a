import { type ConfigurationIssue, issueLine } from './configuration-issue';
import { checkShape, ConfigurationError, withOthers } from './load';
import { crossIssues } from './rules';
import {
  type CheckedOptions,
  type Configuration,
  constructSchema,
  type DeploymentConfiguration,
} from './schema';
import { lateIssues, type WellFormed, wellFormed, type WellFormedConfiguration } from './well-formed';

/** Options that were checked already: those of a file, or of a construct that hands them to its parts. */
const CHECKED = new WeakSet<object>();

/** The same options, marked as checked. */
export function checked<Options extends CheckedOptions>(options: Options): Options {
  CHECKED.add(options);
  return options;
}

export function isChecked(options: object): options is CheckedOptions {
  return CHECKED.has(options);
}

/** The options of a deployment of a file. Its tenants and API Gateway's logging role have stacks of their own. */
export function optionsOf(
  { local, prefix, endpoints, requiredTags }: Configuration,
  deployment: DeploymentConfiguration,
): CheckedOptions {
  return checked({
    ...deployment,
    local,
    prefix,
    requiredTags,
    endpoints: endpoints[deployment.environment]![deployment.platformRegion]!,
    apiGatewayAccount: 'existing',
    createTenants: false,
  });
}

/**
 * Checks the options of a construct by the rules of the configuration file.
 * @param place the construct, for error messages
 * @param stack account and region of its stack, as far as they are known
 * @param more faults that only the construct can find
 * @throws {ConfigurationError} lists every fault
 */
export function checkOptions(
  place: string,
  options: object,
  stack: { readonly account?: string; readonly region?: string },
  more: readonly ConfigurationIssue[] = [],
): CheckedOptions {
  const { data, issues } = checkShape(constructSchema, options);
  const parts = wellFormed(constructSchema, options) ?? {};
  const ofFields = withOthers(lateIssues(constructSchema, options), [...more, ...issues]);
  const all = withOthers(ofFields, issuesAcross(parts, stack));
  if (data === undefined || all.length > 0) throw new ConfigurationError(place, all.map(issueLine));
  return checked(data);
}

function issuesAcross(
  parts: WellFormed<CheckedOptions>,
  stack: { readonly account?: string; readonly region?: string },
): ConfigurationIssue[] {
  // A local one has none.
  const deployment = parts.local === true ? parts : { ...parts, ...stack };
  return crossIssues(configurationOf([deployment]))
    .filter(isOfOptions)
    .map(inOptions);
}

/** A configuration of these deployments, for the rules. Tags are checked when an app has added them. */
export function configurationOf(all: readonly WellFormed<CheckedOptions>[]): WellFormedConfiguration {
  const endpoints: { [environment: string]: Record<string, unknown> } = {};
  for (const { environment, platformRegion, endpoints: addresses } of all) {
    if (environment === undefined || platformRegion === undefined) continue;
    endpoints[environment] = { ...endpoints[environment], [platformRegion]: addresses ?? {} };
  }
  const { local, prefix, apiGatewayAccount } = all[0]!;
  return { local, prefix, apiGatewayAccount, endpoints, deployments: [...all] };
}

/** Not what a file says of a whole deployment, or what a stack without an environment does not say. */
export function isOfOptions({ path }: ConfigurationIssue): boolean {
  const [list, , field] = path;
  return list !== 'deployments' || (field !== undefined && field !== 'account' && field !== 'region');
}

/** An issue of a file with one deployment, with the names of a construct. */
export function inOptions({ path, found, allowed }: ConfigurationIssue): ConfigurationIssue {
  const inConstruct = path[0] === 'endpoints' ? ['endpoints', ...path.slice(3)] : path.slice(2);
  return {
    path: inConstruct,
    found,
    allowed: allowed
      .replaceAll(/\bdeployments\[0\]\./g, '')
      .replaceAll(/\bendpoints\.(staging|production)\.(global|mea)\b/g, 'endpoints'),
  };
}

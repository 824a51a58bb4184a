import { type ConfigurationIssue, issueLine } from './configuration-issue';
import { checkShape, firstPerPath } from './check-shape';
import { profileOf } from './issuers';
import { ConfigurationError } from './configuration-error';
import { crossIssues } from './rules';
import {
  type CheckedOptions,
  type Configuration,
  constructSchemaOf,
  type DeploymentConfiguration,
} from './schema';
import {
  addressesIn,
  lateIssues,
  type WellFormed,
  wellFormed,
  type WellFormedConfiguration,
} from './well-formed';

/** Options that need no further check: those of a file, and those that a construct hands to its parts. */
const CHECKED = new WeakSet<object>();

/** A frozen copy of the options with resources, marked as checked. */
export function checked<Resources>(options: CheckedOptions, resources?: Resources): Checked<Resources> {
  const copy = Object.freeze({ ...frozen(options), resources });
  CHECKED.add(copy);
  return copy;
}

type Checked<Resources> = CheckedOptions & { readonly resources?: Resources | undefined };

function frozen<T>(data: T): T {
  if (typeof data !== 'object' || data === null) return data;
  const copy = Array.isArray(data)
    ? data.map(frozen)
    : Object.fromEntries(Object.entries(data).map(([name, value]) => [name, frozen<unknown>(value)]));
  return Object.freeze(copy) as T;
}

export function isChecked(options: object): options is Checked<object> {
  return CHECKED.has(options);
}

/** The options of one deployment in a file. Other stacks create its tenants and API Gateway's logging role. */
export function optionsOf(
  { local, prefix, endpoints, requiredTags }: Configuration,
  deployment: DeploymentConfiguration,
): CheckedOptions {
  return checked({
    ...deployment,
    local,
    prefix,
    requiredTags,
    endpoints: addressesIn(endpoints, deployment) ?? ({} as CheckedOptions['endpoints']),
    apiGatewayAccount: 'existing',
    createTenants: false,
  });
}

/** A resource of the app that replaces an option. */
export interface Replacement {
  readonly resource: string;
  readonly option: readonly string[];
  /** The value of the option that would name this resource. */
  readonly value: unknown;
}

/**
 * Checks the options of a construct by the rules of the configuration file.
 * @param source the construct, for error messages
 * @param stack account and region of its stack, as far as they are known
 * @param constructIssues faults that only the construct can find
 * @throws {ConfigurationError} lists every fault
 */
export function checkOptions(
  source: string,
  options: object,
  stack: { readonly account?: string; readonly region?: string },
  replacements: readonly Replacement[] = [],
  constructIssues: readonly ConfigurationIssue[] = [],
): CheckedOptions {
  const read = profileOf(options);
  const schema = constructSchemaOf(read.profile);
  const { data, issues } = checkShape(schema, options);
  const late = lateIssues(schema, options, false);
  const parts = withResources(wellFormed(schema, options) ?? {}, replacements);
  const across = issuesAcross(parts, stack).map((issue) => toResourceIssue(issue, replacements));
  const all = firstPerPath(late, constructIssues, read.issues, issues, across);
  if (data === undefined || all.length > 0) throw new ConfigurationError(source, all.map(issueLine));
  return checked(withResources(data as CheckedOptions, replacements));
}

/** The options with resources replaced by the options that name them, so that rules see only one form. */
function withResources<Options extends object>(
  options: Options,
  replacements: readonly Replacement[],
): Options {
  return replacements.reduce((replaced, { option, value }) => withValue(replaced, option, value), {
    ...options,
    resources: undefined,
  });
}

function withValue<T>(parts: T, [name, ...rest]: readonly string[], value: unknown): T {
  if (name === undefined) return value as T;
  const part = (parts as Record<string, unknown> | undefined)?.[name];
  return { ...parts, [name]: withValue(part, rest, value) };
}

/** Rewrites an issue of an option to name the resource that replaced it. */
function toResourceIssue(
  issue: ConfigurationIssue,
  replacements: readonly Replacement[],
): ConfigurationIssue {
  return replacements.reduce(({ path, found, allowed }, { resource, option }) => {
    const name = ['resources', resource];
    // Rules mention another option as "together with" or "another … than" it.
    const mention = new RegExp(`(?<= (with|than) )${option.at(-1)}\\b`, 'g');
    return {
      path: option.every((part, index) => part === path[index]) ? name : path,
      found,
      allowed: allowed.replaceAll(mention, name.join('.')),
    };
  }, issue);
}

function issuesAcross(
  parts: WellFormed<CheckedOptions>,
  stack: { readonly account?: string; readonly region?: string },
): ConfigurationIssue[] {
  // A local deployment has no account and no region.
  const deployment = parts.local === true ? parts : { ...parts, ...stack };
  return crossIssues(configurationOf([deployment]))
    .filter(isAboutOptions)
    .map(toConstructIssue);
}

/** A configuration with these deployments, for the rules. Without `requiredTags`: an app may still add tags. */
export function configurationOf(deployments: readonly WellFormed<CheckedOptions>[]): WellFormedConfiguration {
  const endpoints: { [environment: string]: Record<string, unknown> } = {};
  for (const { environment, platformRegion, endpoints: addresses } of deployments) {
    if (environment === undefined || platformRegion === undefined) continue;
    endpoints[environment] = { ...endpoints[environment], [platformRegion]: addresses ?? {} };
  }
  const { local, prefix, apiGatewayAccount } = deployments[0]!;
  return { local, prefix, apiGatewayAccount, endpoints, deployments: [...deployments] };
}

/** Whether an issue is about the options of a construct, not about the list of deployments or a stack's account and region. */
export function isAboutOptions({ path }: ConfigurationIssue): boolean {
  const [list, , field] = path;
  return list !== 'deployments' || (field !== undefined && field !== 'account' && field !== 'region');
}

/** Rewrites an issue of a file with one deployment to the paths of a construct. */
export function toConstructIssue({ path, found, allowed }: ConfigurationIssue): ConfigurationIssue {
  const inConstruct = path[0] === 'endpoints' ? ['endpoints', ...path.slice(3)] : path.slice(2);
  return {
    path: inConstruct,
    found,
    allowed: allowed
      .replaceAll(/\bdeployments\[0\]\./g, '')
      .replaceAll(/\bendpoints\.(staging|production)\.(global|mea)\b/g, 'endpoints'),
  };
}

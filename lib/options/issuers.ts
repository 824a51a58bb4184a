import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { isJsonObject } from '../../core/json/json-object';
import { isLate } from './arn';
import { checkShape, firstPerPath } from './check-shape';
import { type ConfigurationIssue } from './configuration-issue';
import { issuerProfile } from './issuer-profile-settings';
import { readShelfProfile, shelfNames } from './issuer-shelf';
import { readJsonFile } from './read-json-file';

/** Whether this is the profile of the learning platform, which a deployment without the option `issuer` uses. */
export function isLearningPlatform({ name }: IssuerProfile): boolean {
  return name === LEARNING_PLATFORM.name;
}

/** Used in place of a profile that cannot be read, so that the other options are checked too. No profile can have its name. */
export const ANY_ISSUER: IssuerProfile = {
  name: '?',
  title: 'the issuer',
  regions: [],
  tokenEndpoint: { path: '/' },
};

/** A profile, and the faults of the option `issuer` that names it. */
interface ReadProfile {
  profile: IssuerProfile;
  issues: ConfigurationIssue[];
}

/** The profile of a deployment's issuer, by which its other options are checked. */
export function profileOf(
  options: unknown,
  path: ConfigurationIssue['path'] = [],
  cache = new Map<unknown, ReadProfile>(),
): ReadProfile {
  const issuer = typeof options === 'object' ? (options as { issuer?: unknown } | null)?.issuer : undefined;
  if (issuer === undefined || issuer === LEARNING_PLATFORM.name)
    return { profile: LEARNING_PLATFORM, issues: [] };
  const { profile, issues } = cache.get(issuer) ?? checkedProfile(issuer);
  cache.set(issuer, { profile, issues });
  return {
    profile,
    issues: issues.map((issue) => ({ ...issue, path: [...path, 'issuer', ...issue.path] })),
  };
}

function checkedProfile(issuer: unknown): ReadProfile {
  const read = typeof issuer === 'string' ? readProfile(issuer) : { value: issuer };
  if ('allowed' in read)
    return { profile: ANY_ISSUER, issues: [{ path: [], found: issuer, allowed: read.allowed }] };
  const { data: profile = ANY_ISSUER, issues } = checkShape(issuerProfile, read.value);
  return { profile, issues: firstPerPath(lateTexts(profile, []), issues) };
}

/** Functions read the profile from a file, so it cannot have values that only CloudFormation knows. */
function lateTexts(value: unknown, path: ConfigurationIssue['path']): ConfigurationIssue[] {
  if (isLate(value)) return [{ path, found: value, allowed: 'a text that is known at synthesis' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => lateTexts(part, [...path, name]));
}

/** The names of all profiles that Latchkey has. */
export function profileNames(): string[] {
  return [LEARNING_PLATFORM.name, ...shelfNames()];
}

/** What `issuer` may be, for messages. */
export function issuerRule(): string {
  return `${profileNames().join(', ')}, or the path of a profile that ends with .json`;
}

function readProfile(issuer: string): { value: unknown } | { allowed: string } {
  if (!issuer.endsWith('.json')) {
    const value = readShelfProfile(issuer);
    return value === undefined ? { allowed: issuerRule() } : { value };
  }
  try {
    return { value: readJsonFile(issuer) };
  } catch {
    return { allowed: 'the path of a readable JSON file, relative to the working directory' };
  }
}

/** The profile of each deployment in a configuration file. */
export function profilesOf(value: unknown): { profiles: IssuerProfile[]; issues: ConfigurationIssue[] } {
  const deployments = isJsonObject(value) && Array.isArray(value.deployments) ? value.deployments : [];
  // Deployments of one issuer share its profile, and so one schema.
  const cache = new Map<unknown, ReadProfile>();
  const read = deployments.map((options, index) => profileOf(options, ['deployments', index], cache));
  return {
    profiles: read.map(({ profile }) => profile),
    issues: read.flatMap(({ issues }) => issues),
  };
}

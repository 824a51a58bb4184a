import { loadSharedConfigFiles } from '@smithy/core/config';

import { type CommandError, usageError } from './command-error';
import { showArgument } from './safe-text';

/** An AWS profile, and what named it: a flag, a variable, or a field of the configuration. */
export interface ChosenProfile {
  readonly name: string;
  readonly source: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The AWS profile for a deployment. `--profile`, AWS_PROFILE and credentials in the environment go before the deployment's
 * `awsProfile`, so a pipeline needs no profile.
 * @param configured the deployment's `awsProfile`
 * @returns undefined if the SDK's usual places decide
 */
export function chooseProfile(
  flag: string | undefined,
  env: Environment,
  configured: ChosenProfile | undefined,
): ChosenProfile | undefined {
  if (flag !== undefined) return { name: flag, source: '--profile' };
  if (env.AWS_PROFILE) return { name: env.AWS_PROFILE, source: 'AWS_PROFILE' };
  return hasCredentials(env) ? undefined : configured;
}

/**
 * Whether the environment gives credentials.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
 */
export function hasCredentials(env: Environment): boolean {
  return [
    env.AWS_ACCESS_KEY_ID,
    env.AWS_WEB_IDENTITY_TOKEN_FILE,
    env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI,
    env.AWS_CONTAINER_CREDENTIALS_FULL_URI,
  ].some(Boolean);
}

/**
 * Checks that a profile exists. Without it, the SDK would go on to the credentials of the machine.
 * @throws {CommandError} usage
 */
export async function requireProfile({ name, source }: ChosenProfile): Promise<void> {
  const { configFile, credentialsFile } = await loadSharedConfigFiles();
  const names = Object.keys({ ...configFile, ...credentialsFile }).filter(isProfile);
  if (!names.includes(name)) throw unknownProfile(name, source, names);
}

/** The SDK lists other sections of the file by their kind and name. */
function isProfile(section: string): boolean {
  return !/^(sso-session|services)\./.test(section);
}

function unknownProfile(name: string, source: string, names: readonly string[]): CommandError {
  const allowed =
    names.length === 0
      ? 'a profile of your AWS configuration files, which have none'
      : `a profile of your AWS configuration files: ${names.join(', ')}`;
  return usageError(
    source,
    source === '--profile' ? showArgument(name) : name,
    allowed,
    'Not needed with credentials in the environment, nor where --profile or AWS_PROFILE names another profile.',
  );
}

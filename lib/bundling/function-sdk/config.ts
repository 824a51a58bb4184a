/**
 * Replaces `@smithy/core/config` in the functions: Lambda has their settings in the environment, so the SDK's clients neither
 * read configuration files nor ask a metadata service.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
import { isValidHostLabel } from '@smithy/core/transport';

interface Setting<Value> {
  environmentVariableSelector: (environment: NodeJS.ProcessEnv, options: object) => Value | undefined;
  default: Value | (() => Promise<Value>);
}
interface RegionConfig {
  region?: string | (() => Promise<string>);
  useFipsEndpoint?: boolean | (() => Promise<boolean>);
}

/** The value of a setting in the environment, or its default. */
export function loadConfig<Value>(setting: Setting<Value>, options: object = {}): () => Promise<Value> {
  return async () => {
    const found = setting.environmentVariableSelector(process.env, options);
    if (found !== undefined) return found;
    return typeof setting.default === 'function'
      ? (setting.default as () => Promise<Value>)()
      : setting.default;
  };
}

export const SelectorType = { ENV: 'env', CONFIG: 'shared config entry' };
export const CONFIG_PREFIX_SEPARATOR = '.';

export function booleanSelector(
  settings: Readonly<Record<string, string | undefined>>,
  name: string,
): boolean | undefined {
  const value = settings[name];
  if (value === undefined) return undefined;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new Error(`Cannot load env "${name}". Expected "true" or "false", got ${value}.`);
}

export const DEFAULT_USE_DUALSTACK_ENDPOINT = false;
export const DEFAULT_USE_FIPS_ENDPOINT = false;
export const NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS: Setting<boolean> = {
  environmentVariableSelector: (environment) => booleanSelector(environment, 'AWS_USE_DUALSTACK_ENDPOINT'),
  default: DEFAULT_USE_DUALSTACK_ENDPOINT,
};
export const NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS: Setting<boolean> = {
  environmentVariableSelector: (environment) => booleanSelector(environment, 'AWS_USE_FIPS_ENDPOINT'),
  default: DEFAULT_USE_FIPS_ENDPOINT,
};
export const REGION_ENV_NAME = 'AWS_REGION';
export const REGION_INI_NAME = 'region';
export const NODE_REGION_CONFIG_OPTIONS: Setting<string> = {
  environmentVariableSelector: (environment) => environment[REGION_ENV_NAME],
  default: () => Promise.reject(new Error('Region is missing')),
};
export const NODE_REGION_CONFIG_FILE_OPTIONS = {};

/** Checks the region, which becomes a part of host names. FIPS is a setting of its own, not a part of the region. */
export function resolveRegionConfig<Config extends RegionConfig>(config: Config) {
  const { region, useFipsEndpoint = false } = config;
  return Object.assign(config, {
    region: async () => {
      const found = typeof region === 'function' ? await region() : (region ?? '');
      if (isValidHostLabel(found)) return found;
      throw new Error(`Region not accepted: region="${found}" is not a valid hostname component.`);
    },
    useFipsEndpoint: typeof useFipsEndpoint === 'function' ? useFipsEndpoint : async () => useFipsEndpoint,
  });
}

export const resolveDefaultsModeConfig = () => () => Promise.resolve('legacy');

/** An error of the SDK's providers. */
export class ProviderError extends Error {
  override readonly name: string = 'ProviderError';
  readonly tryNextLink = true;
}

/** No credentials in the environment. */
export class CredentialsProviderError extends ProviderError {
  override readonly name = 'CredentialsProviderError';
}

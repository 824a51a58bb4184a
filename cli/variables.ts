import { type Flags } from './options';

/** The environment variables that name a tenant where no flag does. */
const VARIABLES = {
  environment: 'LATCHKEY_ENVIRONMENT',
  platformRegion: 'LATCHKEY_PLATFORM_REGION',
  tenant: 'LATCHKEY_TENANT',
} as const;

/** Flags with the defaults that environment variables give. An empty variable counts as unset. */
export function withVariables(flags: Flags, env: Readonly<Record<string, string | undefined>>): Flags {
  const config = flags.config ?? (env.LATCHKEY_CONFIG || undefined);
  const merged: Flags = { ...flags, ...(config !== undefined && { config }), variables: {} };
  for (const [name, variable] of Object.entries(VARIABLES) as [keyof typeof VARIABLES, string][]) {
    const value = env[variable];
    if (flags[name] !== undefined || value === undefined || value === '') continue;
    merged[name] = value;
    merged.variables![name] = variable;
  }
  return merged;
}

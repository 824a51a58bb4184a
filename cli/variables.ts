import { type CommandFlags } from './command';

/** The environment variables that name a tenant where no flag does. */
const VARIABLES = {
  issuer: 'LATCHKEY_ISSUER',
  environment: 'LATCHKEY_ENVIRONMENT',
  platformRegion: 'LATCHKEY_PLATFORM_REGION',
  tenant: 'LATCHKEY_TENANT',
} as const;

/** Flags with the defaults that environment variables give. An empty variable counts as unset. */
export function withVariables<Given extends CommandFlags>(
  flags: Given,
  env: Readonly<Record<string, string | undefined>>,
): Given {
  const config = flags.config ?? (env.LATCHKEY_CONFIG || undefined);
  const variables: CommandFlags['variables'] = {};
  const merged = { ...flags, ...(config !== undefined && { config }), variables };
  for (const [name, variable] of Object.entries(VARIABLES) as [keyof typeof VARIABLES, string][]) {
    const value = env[variable];
    if (flags[name] !== undefined || value === undefined || value === '') continue;
    Object.assign(merged, { [name]: value });
    variables[name] = variable;
  }
  return merged;
}

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { addressFault, ADDRESS_RULE } from '../contract/platform-address';
import {
  type Environment,
  ENVIRONMENTS,
  PLATFORM_REGIONS,
  type PlatformInterface,
  type PlatformRegion,
  type Scope,
  SCOPES,
  TENANT_ID,
} from '../contract/platform';
import { configurationJsonSchema } from '../lib/config/schema';
import { ConfigurationError, parseConfiguration } from '../lib/config/load';
import { TENANT_ID_RULE } from '../lib/config/tenant-settings';
import { type CommandContext } from './command';
import { CommandError, usageError } from './command-error';
import { EXIT, type ExitCode } from './exit-codes';
import { showFile } from './safe-text';
import { USUAL_CONFIGURATION } from './system';
import { type Terminal } from './terminal';

const SCHEMA_FILE = 'latchkey.schema.json';

const TYPE_IT = 'type a value, then Enter';

interface InitFlags {
  config?: string;
}

/** A minimal configuration, to write by hand. */
const EXAMPLE = {
  endpoints: {
    staging: {
      global: {
        contentBaseUrl: 'https://api.staging.platform.example/rest/v1',
        contentTokenBaseUrl: 'https://auth.staging.platform.example',
      },
    },
  },
  deployments: [
    {
      environment: 'staging',
      tenants: [{ tenantId: 'eu-west-2_AbcdEfghI', tokens: [{ interface: 'content', scope: 'api/read' }] }],
    },
  ],
};

/**
 * `latchkey init`: asks for the settings and writes a configuration. Confirms before it replaces a file.
 * @throws {CommandError}
 */
export async function init({ terminal }: CommandContext, flags: InitFlags): Promise<ExitCode> {
  const name = flags.config ?? USUAL_CONFIGURATION;
  const file = resolve(name);
  if (!terminal.isInteractive) {
    throw usageError(
      'init',
      'nobody to ask',
      'a terminal',
      `Or write ${showFile(name)} by hand, for example:\n${JSON.stringify(EXAMPLE, null, 2)}`,
    );
  }
  if (existsSync(file) && !(await terminal.confirm(`${name} exists. Replace it?`))) {
    terminal.say(`${name} is unchanged`);
    return EXIT.failed;
  }
  const configuration = await askConfiguration(terminal);
  checkConfiguration(configuration, name);
  writeBoth(file, configuration);
  terminal.result({ file }, (style) =>
    [
      `${style.good('✓')} Wrote ${name}`,
      `${style.bold('Next')}: npx cdk deploy --all, then latchkey credentials put`,
    ].join('\n'),
  );
  return EXIT.done;
}

interface AskedTenant {
  tenantId: string;
  tokens: { interface: PlatformInterface; scope: string }[];
}

async function askConfiguration(terminal: Terminal): Promise<object> {
  const endpoints: Partial<Record<Environment, Partial<Record<PlatformRegion, object>>>> = {};
  const deployments: object[] = [];
  do {
    const environment = await choose(terminal, 'Platform environment', ENVIRONMENTS);
    const platformRegion = await choose(terminal, 'Platform region (global: all but MEA)', PLATFORM_REGIONS);
    const tenantId = await terminal.ask('Tenant identifier, as given by support', {
      check: (id) => (TENANT_ID.test(id) ? undefined : `${TYPE_IT}: ${TENANT_ID_RULE}`),
    });
    const addresses = {
      contentBaseUrl: await askAddress(terminal, 'Base URL of the content interface'),
      contentTokenBaseUrl: await askAddress(terminal, 'Base URL for its tokens (before /oauth2/token)'),
    };
    const hasRestore = await terminal.confirm(
      'Does the platform offer restore? It needs a content token with scope api/write.',
    );
    const tokens = await askTokens(terminal, 'content', hasRestore ? 'api/write' : undefined);
    const more = await askMoreAddresses(terminal, tokens);
    endpoints[environment] = { ...endpoints[environment], [platformRegion]: { ...addresses, ...more } };
    const tenant: AskedTenant = { tenantId, tokens };
    const region = await askRegion(terminal);
    const restore = hasRestore && { restore: { available: true } };
    deployments.push({ environment, platformRegion, ...region, ...restore, tenants: [tenant] });
  } while (await terminal.confirm('Add another environment or region?'));
  return { $schema: `./${SCHEMA_FILE}`, endpoints, deployments };
}

/** Asks for optional addresses, and adds webhooks tokens to `tokens`. */
async function askMoreAddresses(terminal: Terminal, tokens: AskedTenant['tokens']): Promise<object> {
  const webhooks = await terminal.confirm('Do you use the webhooks interface?');
  const webhooksAddresses = webhooks
    ? {
        webhooksBaseUrl: await askAddress(terminal, 'Base URL of the webhooks interface'),
        webhooksTokenBaseUrl: await askAddress(terminal, 'Base URL for its tokens'),
      }
    : {};
  if (webhooks) tokens.push(...(await askTokens(terminal, 'webhooks')));
  const tenantService = await terminal.confirm(
    'Do you want to generate API keys with `latchkey api-key generate`?',
  );
  return {
    ...webhooksAddresses,
    ...(tenantService && { tenantServiceUrl: await askAddress(terminal, 'URL of the tenant service') }),
  };
}

/** Asks for one or more tokens. The needed one is included without asking. */
async function askTokens(
  terminal: Terminal,
  name: PlatformInterface,
  needed?: Scope,
): Promise<AskedTenant['tokens']> {
  // Enter selects the first scope, which should not be the broadest.
  const scopes: Scope[] = [...SCOPES[name].filter((scope) => scope !== 'api/all'), 'api/all'];
  const first = needed ?? (await choose(terminal, `Scope of the ${name} token`, scopes));
  const tokens: AskedTenant['tokens'] = [{ interface: name, scope: first }];
  for (const scope of scopes.filter((other) => other !== first)) {
    if (await terminal.confirm(`Also keep a ${name} token with scope ${scope}?`))
      tokens.push({ interface: name, scope });
  }
  return tokens;
}

async function askRegion(terminal: Terminal): Promise<{ region?: string }> {
  const region = await terminal.ask('AWS region (leave empty to use your profile’s)', {
    initial: '',
    check: (text) =>
      text === '' || /^[a-z]{2}(-[a-z]+)+-\d$/.test(text) ? undefined : 'a region such as eu-west-1',
  });
  return region === '' ? {} : { region };
}

function askAddress(terminal: Terminal, question: string): Promise<string> {
  return terminal.ask(question, {
    check: (address) =>
      addressFault(address, false) === undefined ? undefined : `${TYPE_IT}: ${ADDRESS_RULE}`,
  });
}

function choose<T extends string>(terminal: Terminal, question: string, words: readonly T[]): Promise<T> {
  return terminal.choose(
    question,
    words.map((value) => ({ value, label: value })),
  );
}

function checkConfiguration(configuration: object, name: string): void {
  try {
    parseConfiguration(configuration, name);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CommandError(EXIT.usage, 'usage', `${error.message}\nnothing was written`);
  }
}

/** Writes the configuration, and next to it the schema for editors. */
function writeBoth(file: string, configuration: object): void {
  const dir = dirname(file);
  mkdirSync(dir, { recursive: true });
  const schema = join(dir, SCHEMA_FILE);
  if (!existsSync(schema)) writeAtomically(schema, configurationJsonSchema());
  writeAtomically(file, `${JSON.stringify(configuration, null, 2)}\n`);
}

/** Writes a file atomically. */
function writeAtomically(file: string, text: string): void {
  const written = `${file}.${process.pid}`;
  try {
    writeFileSync(written, text);
    renameSync(written, file);
  } finally {
    rmSync(written, { force: true });
  }
}

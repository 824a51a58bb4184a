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

/** What is said to Enter alone where no answer goes without saying. */
const TYPE_IT = 'type it, then Enter';

interface InitFlags {
  config?: string;
}

/** What a person may write by hand: the least that is a configuration. */
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
 * `latchkey init`: asks what a configuration needs, and writes it. An existing file is replaced only if the person agrees.
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
    terminal.say(`${name} stays as it is.`);
    return EXIT.failed;
  }
  const configuration = await askConfiguration(terminal);
  checkConfiguration(configuration, name);
  writeBoth(file, configuration);
  terminal.result({ file }, (style) =>
    [
      `${style.good('✓')} wrote ${name}`,
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
    const environment = await choose(terminal, 'Environment of the platform', ENVIRONMENTS);
    const platformRegion = await choose(
      terminal,
      'Region of the platform (global: all but MEA)',
      PLATFORM_REGIONS,
    );
    const tenantId = await terminal.ask('Tenant identifier, as support gave it to you', {
      check: (id) => (TENANT_ID.test(id) ? undefined : `${TYPE_IT}: ${TENANT_ID_RULE}`),
    });
    const addresses = {
      contentBaseUrl: await askAddress(terminal, 'Base address of the content interface'),
      contentTokenBaseUrl: await askAddress(terminal, 'Base address of its tokens (before /oauth2/token)'),
    };
    const hasRestore = await terminal.confirm(
      'Does the platform offer restore to you? It takes a content token with scope api/write.',
    );
    const tokens = await askTokens(terminal, 'content', hasRestore ? 'api/write' : undefined);
    const more = await askMoreAddresses(terminal, tokens);
    endpoints[environment] = { ...endpoints[environment], [platformRegion]: { ...addresses, ...more } };
    const tenant: AskedTenant = { tenantId, tokens };
    const region = await askRegion(terminal);
    const restore = hasRestore && { restore: { available: true } };
    deployments.push({ environment, platformRegion, ...region, ...restore, tenants: [tenant] });
  } while (await terminal.confirm('Another environment or region?'));
  return { $schema: `./${SCHEMA_FILE}`, endpoints, deployments };
}

/** Asks for what only some need; tokens of webhooks are added to those given. */
async function askMoreAddresses(terminal: Terminal, tokens: AskedTenant['tokens']): Promise<object> {
  const webhooks = await terminal.confirm('Do you use the webhooks interface?');
  const webhooksAddresses = webhooks
    ? {
        webhooksBaseUrl: await askAddress(terminal, 'Base address of the webhooks interface'),
        webhooksTokenBaseUrl: await askAddress(terminal, 'Base address of its tokens'),
      }
    : {};
  if (webhooks) tokens.push(...(await askTokens(terminal, 'webhooks')));
  const tenantService = await terminal.confirm('Shall `latchkey api-key generate` generate API keys?');
  return {
    ...webhooksAddresses,
    ...(tenantService && { tenantServiceUrl: await askAddress(terminal, 'Address of the tenant service') }),
  };
}

/** At least one token: the one that is needed anyway, else one that the person chooses. */
async function askTokens(
  terminal: Terminal,
  name: PlatformInterface,
  needed?: Scope,
): Promise<AskedTenant['tokens']> {
  // Enter takes the first, which is not to be everything.
  const scopes: Scope[] = [...SCOPES[name].filter((scope) => scope !== 'api/all'), 'api/all'];
  const first = needed ?? (await choose(terminal, `Scope of the ${name} token to keep`, scopes));
  const tokens: AskedTenant['tokens'] = [{ interface: name, scope: first }];
  for (const scope of scopes.filter((other) => other !== first)) {
    if (await terminal.confirm(`Keep a ${name} token with scope ${scope} too?`))
      tokens.push({ interface: name, scope });
  }
  return tokens;
}

async function askRegion(terminal: Terminal): Promise<{ region?: string }> {
  const region = await terminal.ask('AWS region (empty: that of your profile)', {
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

/** The configuration, and beside it the schema that editors check it by. */
function writeBoth(file: string, configuration: object): void {
  const dir = dirname(file);
  mkdirSync(dir, { recursive: true });
  const schema = join(dir, SCHEMA_FILE);
  if (!existsSync(schema)) writeWhole(schema, configurationJsonSchema());
  writeWhole(file, `${JSON.stringify(configuration, null, 2)}\n`);
}

/** All or nothing, also if the process is killed in between. */
function writeWhole(file: string, text: string): void {
  const written = `${file}.${process.pid}`;
  try {
    writeFileSync(written, text);
    renameSync(written, file);
  } finally {
    rmSync(written, { force: true });
  }
}

import { Command } from 'commander';

import { FIX_TEXTS } from '../core/findings/finding';
import { version } from '../package.json';
import { command, type CommandDefinition, type CommandFlags } from './command';
import { usageError } from './command-error';
import { INIT_OPTIONS } from './init/answers';
import { ISSUER_COMMANDS } from './issuer-commands';
import { addShellCommands, SHELL_COMMANDS } from './shell-commands';
import { LOCAL_COMMANDS } from './local-commands';
import { OPTION_SETS, optionNamed } from './options';
import { programCommand } from './program-commands';
import { type Terminal } from './terminal';

/** Runs the chosen command with the given flags. */
type RunCommand = (run: CommandDefinition['run'], flags: CommandFlags) => Promise<void>;

const { tenant, tenants, token, system, output } = OPTION_SETS;
const TENANT_FLAGS_NOTE = '\n\nYou can leave out a flag that names a tenant or token if only one matches.';

/** Every command by its words; the first of two is a group. `run` imports its module lazily, so that help is fast. */
const COMMANDS: Record<string, CommandDefinition> = {
  init: command({
    summary: 'write a configuration, or add to one',
    details:
      'Asks for what the flags do not say. Without a terminal, or with --yes, it asks nothing and needs --environment, ' +
      '--tenants, both content URLs, and --content-scopes or --restore; with the --issuer of another issuer than the learning ' +
      'platform, --environment, --tenants, and what its profile asks for. With --yes, it replaces an existing file. ' +
      'The AWS account and region come from flags, or else from your AWS profile. ' +
      'If that account has Lambda concurrency to reserve, it writes reservedConcurrency. ' +
      'Nothing is written unless the result is valid. With --app, it writes a CDK app of your own around the configuration: ' +
      'package.json, tsconfig.json, cdk.json, app.ts and .gitignore. It replaces none of them, but completes a package.json ' +
      'in which npm has only noted this package. Outside a checkout, it asks whether to write the app.',
    options: [...INIT_OPTIONS, ...output],
    examples: [
      'init',
      'init --add --environment staging --tenants eu-west-2_AbcdEfghI --content-scopes api/read --yes',
      'init --issuer auth0',
      'init --app',
      'init --config config/other.json',
    ],
    run: async (context, flags) => (await import('./init-command.js')).init(context, flags),
  }),
  'credentials put': command({
    summary: 'load a client id and secret: test, store and promote them',
    details: 'Asks for both without echo, or reads {"clientId","clientSecret"} from standard input.',
    options: [...tenant, 'revokePrevious', 'replace', 'proveBy', ...system, ...output],
    examples: [
      'credentials put',
      'credentials put --environment staging --tenant eu-west-2_AbcdEfghI',
      'credentials put --revoke-previous',
      'credentials put --prove-by function',
    ],
    run: async (context, flags) =>
      (await import('./credentials/put-credential.js')).putCredentials(context, flags),
  }),
  'credentials rotate': command({
    summary: 'retry testing and promoting the staged credential',
    options: [...tenant, 'kind', 'revokePrevious', ...system, ...output],
    examples: ['credentials rotate', 'credentials rotate --kind api-key --environment production'],
    run: async (context, flags) =>
      (await import('./credentials/rotate-credential.js')).rotateCredentials(context, flags),
  }),
  'credentials revoke-previous': command({
    summary: 'revoke the previous credential now, for example after a leak',
    options: [...tenant, 'kind', 'yes', ...system, ...output],
    examples: ['credentials revoke-previous --kind api-key'],
    run: async (context, flags) =>
      (await import('./credentials/revoke-previous.js')).revokePrevious(context, flags),
  }),
  'api-key generate': command({
    summary: 'generate an API key with an administrator’s session, and promote it',
    details:
      'Asks for two values of the session without echo, or reads {"authorization","correlationId"} from standard input.',
    options: [...tenant, 'revokePrevious', 'replace', ...system, ...output],
    examples: ['api-key generate', 'api-key generate --environment production --tenant eu-west-2_AbcdEfghI'],
    run: async (context, flags) =>
      (await import('./credentials/generate-api-key.js')).generateApiKey(context, flags),
  }),
  'api-key put': command({
    summary: 'load an API key generated elsewhere: test, store and promote it',
    details: 'Asks for it without echo, or reads {"apiKey","validUntil"} from standard input.',
    options: [...tenant, 'revokePrevious', 'replace', 'proveBy', ...system, ...output],
    examples: ['api-key put', 'api-key put --environment staging'],
    run: async (context, flags) =>
      (await import('./credentials/put-credential.js')).putApiKey(context, flags),
  }),
  rollback: command({
    summary: 'restore the previous credential, if its issuer still accepts it',
    options: [...tenant, 'kind', 'replace', 'yes', ...system, ...output],
    examples: [
      'rollback --kind client-credentials',
      'rollback --kind api-key --environment production --yes',
    ],
    run: async (context, flags) => (await import('./credentials/rollback.js')).rollback(context, flags),
  }),
  status: command({
    summary: 'show credentials, tokens, alarms and findings',
    details: 'Exits with 1 if anything needs attention, for example an alarm.',
    options: [...tenants, 'limit:tenants', 'watch', ...system, ...output],
    examples: [
      'status',
      'status --watch --local',
      'status --environment production --json',
      "status --tenant 'eu-west-2_*' --limit 100",
    ],
    run: async (context, flags) => (await import('./status-command.js')).status(context, flags),
  }),
  doctor: command({
    summary: 'explain what is wrong, and fix it with --fix',
    details:
      `Renews tokens that are due, to check that renewal works. With --fix, it also ${Object.values(FIX_TEXTS).join('; ')}. ` +
      'It does nothing else: if a fix needs a deployment or another credential, it only names the fix.',
    options: [...tenants, 'askPlatform', 'fix', 'yes', ...system, ...output],
    examples: [
      'doctor',
      'doctor --fix',
      'doctor --ask-platform --tenant eu-west-2_AbcdEfghI',
      'doctor --fix --yes --environment staging',
    ],
    run: async (context, flags) => (await import('./doctor-command.js')).doctor(context, flags),
  }),
  'token show': command({
    summary: 'show a token’s secret, expiry and credential, or with --reveal the token',
    options: [...token, 'reveal', ...system, ...output],
    examples: ['token show', 'token show --interface content --scope api/read --reveal'],
    run: async (context, flags) => (await import('./token-show-command.js')).showToken(context, flags),
  }),
  'token refresh': command({
    summary: 'make sure a token is valid for at least 20 more minutes',
    options: [...token, 'all', 'replace:token', ...system, ...output],
    examples: [
      'token refresh --interface content --scope api/write',
      'token refresh --interface content --scope api/write --replace',
      'token refresh --all --environment staging',
    ],
    run: async (context, flags) => (await import('./token-refresh-command.js')).refreshTokens(context, flags),
  }),
  restore: command({
    summary: 'restore archived content: one item, or a list of them',
    details:
      'Calls the restore API with your own permissions. To resume a bulk restore that ended early, run the same command ' +
      'again: it continues from the results file. Content that may have been restored is sent again only with ' +
      '--retry-unknown. At a terminal, it asks before it restores a list.',
    argument: { name: '[content-id]', description: 'the content to restore; or use --from' },
    options: [
      'authorRef',
      'collaborationId',
      'from',
      'results',
      'parallel',
      'retryUnknown',
      'retryFailed',
      'dryRun',
      'yes',
      ...tenant,
      ...system,
      ...output,
    ],
    examples: [
      'restore 65f2c0ffee --author-ref author-1',
      'restore --from ids.txt --collaboration-id team-7 --environment production',
      'restore --from ids.txt --collaboration-id team-7 --dry-run',
      'restore --from ids.txt --collaboration-id team-7 --retry-unknown',
    ],
    run: async (context, flags) => (await import('./restore/restore-command.js')).restore(context, flags),
  }),
  'restore history': command({
    summary: 'show who restored what, from the log of the restore function',
    details:
      'Shows one tenant’s requests that reached the restore function, the latest first. The log keeps them for ' +
      'restoreApi.auditRetentionDays. A long search reads the whole log of that time, which can take minutes.',
    options: [
      'contentId',
      'authorRef',
      'collaborationId',
      'outcome',
      'traceId',
      'since',
      'limit',
      ...tenant,
      ...system,
      ...output,
    ],
    examples: [
      'restore history',
      'restore history --content-id 65f2c0ffee --since 90d',
      'restore history --author-ref author-1 --outcome restored --json',
    ],
    run: async (context, flags) =>
      (await import('./restore/history-command.js')).restoreHistory(context, flags),
  }),
  ...ISSUER_COMMANDS,
  ...LOCAL_COMMANDS,
  sandbox: programCommand('sandbox', {
    summary: 'run a sandbox of the learning platform on this machine',
    details:
      'Listens with HTTPS on 127.0.0.1 until Ctrl-C. Prints its addresses, the certificate to trust and its tenants, ' +
      'then “ready”.',
    options: ['port', 'separatePorts', 'seed', 'caFile', 'json'],
    examples: [
      'sandbox',
      'sandbox --port 8443 --seed seed.json',
      'sandbox --separate-ports --port 9000 --ca-file ca.pem --json',
    ],
  }),
  conformance: programCommand('conformance', {
    summary: 'check whether a platform does what its specification says',
    details:
      'Runs against a tenant of any platform. Pass its credentials on standard input, as JSON: ' +
      '{"clientId","clientSecret","apiKey"?,"session"?}. Exits with 1 if a check failed.',
    options: ['target', 'writes', 'caFile:trusted', 'json'],
    examples: ['conformance --target tenant.json', 'conformance --target tenant.json --writes'],
  }),
  prove: programCommand('prove', {
    summary: 'deploy to an AWS account, do the main job there, and remove everything',
    details:
      'Says whose account and region it is, and asks. Then it deploys Latchkey and a sandbox of the platform under a random ' +
      'prefix, does the main job, asks AWS what its documents leave open, removes everything again, also after Ctrl-C, and ' +
      'reports what AWS did. Nothing else in the account is touched. In a script, it needs --yes and --account. Exits with 1 ' +
      'if AWS did otherwise, or something is left behind.',
    options: [
      'only',
      'slow',
      'clean',
      'run',
      'results:folder',
      'yes',
      'local',
      'stateDir',
      'profile',
      'region:prove',
      'account:prove',
      ...output,
    ],
    examples: [
      'prove --profile sandbox --region eu-west-1',
      'prove --only request-token,failed-functions',
      'prove --clean',
      'prove --clean --run prove-3f9a2c41',
      'prove --local',
    ],
  }),
};

/** What the groups are for; `restore` is a command as well. */
const GROUPS: Record<string, string> = {
  credentials: 'manage client credentials',
  'api-key': 'manage API keys',
  token: 'manage access tokens',
  issuer: 'try an issuer, and write its profile',
  local: 'run the laptop system, and use it',
};

/** The commands of the group that the arguments name; without one, all first words. */
export function commandsAfter(args: readonly string[]): string[] {
  const group = args.find((argument) => !argument.startsWith('-')) ?? '';
  if (group in GROUPS) return secondWords(group);
  return [...new Set([...Object.keys(COMMANDS).map((name) => name.split(' ')[0]!), ...SHELL_COMMANDS])];
}

function secondWords(group: string): string[] {
  return Object.keys(COMMANDS).flatMap((name) => {
    const [first, second] = name.split(' ');
    return first === group ? (second ?? []) : [];
  });
}

const NETWORK_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'AWS_CA_BUNDLE'];

/** Opens the system that the flags select. Its SDK clients are imported lazily. */
export async function openSystem(
  flags: CommandFlags,
  surroundings: {
    projectRoot: string;
    workingDir: string;
    env: NodeJS.ProcessEnv;
    interrupted: AbortSignal;
    terminal?: Terminal;
  },
) {
  const { local, stateDir, config, profile, account } = flags;
  if (local === true) {
    if (account !== undefined) throw usageError('--account', 'a value with --local', 'only one of them');
    return (await import('./open-local-system.js')).openLocalSystem({ ...surroundings, stateDir });
  }
  const { env } = surroundings;
  const hasNetworkVariables = NETWORK_VARIABLES.some((name) => (env[name] ?? '') !== '');
  const { issuer, environment, platformRegion, prefix } = flags;
  return (await import('./configured-system.js')).openSystemOnAws({
    ...surroundings,
    network: hasNetworkVariables ? (await import('./environment-network.js')).networkOf(env) : undefined,
    config,
    profile,
    account,
    issuer,
    environment,
    platformRegion,
    prefix,
  });
}

/** Imports the prompts lazily. */
export const loadPrompts = () => import('@clack/prompts');

/**
 * The command line for commander.
 * @param write receives help and version, the only things that commander writes
 */
export function buildProgram(run: RunCommand, write: (text: string) => void): Command {
  const program = new Command('latchkey')
    .description(
      'Load, rotate and check the credentials and tokens that Latchkey keeps, restore content, or run a sandbox of the ' +
        'platform.',
    )
    .version(version, '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show help; works for every command')
    .helpCommand(false)
    // Otherwise `restore` takes the options that follow `restore history`.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .configureOutput({ writeOut: write, writeErr: () => undefined })
    .exitOverride();
  const groups = new Map<string, Command>();
  for (const [words, definition] of Object.entries(COMMANDS)) {
    const [first = '', second] = words.split(' ');
    if (second === undefined) {
      addCommand(program, first, definition, run);
      continue;
    }
    const group =
      groups.get(first) ??
      program.commands.find((command) => command.name() === first) ??
      program.command(first).description(`${GROUPS[first]}: ${secondWords(first).join(', ')}`);
    groups.set(first, group.helpCommand(false).enablePositionalOptions());
    addCommand(group, second, definition, run);
  }
  addShellCommands(program, write);
  return program.addHelpText(
    'after',
    examplesText(['status', 'credentials put', 'doctor --fix', '<command> --help']),
  );
}

function addCommand(parent: Command, name: string, definition: CommandDefinition, run: RunCommand): void {
  const { summary, details, argument, options, examples } = definition;
  const command = parent
    .command(name)
    .summary(summary)
    .description([`${summary[0]!.toUpperCase()}${summary.slice(1)}.`, details].filter(Boolean).join(' '))
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      examplesText(examples) +
        (options.includes('tenant') || options.includes('tenant:patterns') ? TENANT_FLAGS_NOTE : ''),
    );
  for (const option of options) command.addOption(optionNamed(option));
  if (argument === undefined) {
    const local = definition.isLocal === true && { local: true };
    command.action((flags: CommandFlags) => {
      refuseOptionsOf(parent, name);
      return run(definition.run, { ...flags, ...local });
    });
    return;
  }
  command.argument(argument.name, argument.description);
  command.action((given: string | undefined, flags: CommandFlags) =>
    run(definition.run, { ...flags, [argument.name === '[issuer]' ? 'issuer' : 'contentId']: given }),
  );
}

/** Refuses options before a subcommand, which it would not get: `restore --tenant a history`. */
function refuseOptionsOf(parent: Command, name: string): void {
  const early = parent.options.find(
    (option) => parent.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (early !== undefined)
    throw usageError('arguments', `${early.long} before ${name}`, `all options after ${name}`);
}

function examplesText(examples: string[]): string {
  return `\nExamples:\n${examples.map((example) => `  latchkey ${example}`).join('\n')}`;
}

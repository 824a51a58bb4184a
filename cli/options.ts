import { Option } from 'commander';

import { ENVIRONMENTS, INTERFACES, PLATFORM_REGIONS, SCOPES } from '../contract/platform';
import { CREDENTIAL_KINDS, type CredentialKind } from '../contract/secret-names';
import { type Outcome, OUTCOMES } from '../contract/restore-outcomes';
import { ACCOUNT_ID, ACCOUNT_RULE } from '../contract/account-id';
import { type TokenFlags } from './choose-tenant';
import { usageError } from './command-error';
import { type Shell, SHELLS } from './shells';
import { showArgument } from './safe-text';
import { USUAL_CONFIGURATION, USUAL_STATE_DIR } from './system';

/** The values of all options, as commander returns them. */
export interface Flags extends TokenFlags {
  kind?: CredentialKind;
  revokePrevious?: boolean;
  proveBy?: ProofPlace;
  replace?: boolean;
  all?: boolean;
  reveal?: boolean;
  watch?: boolean;
  fix?: boolean;
  /** The argument of `restore`, and the option of `restore history`. */
  contentId?: string;
  authorRef?: string;
  collaborationId?: string;
  from?: string;
  results?: string;
  parallel?: number;
  retryUnknown?: boolean;
  retryFailed?: boolean;
  dryRun?: boolean;
  outcome?: string;
  traceId?: string;
  since?: string;
  limit?: number;
  port?: string;
  separatePorts?: boolean;
  seed?: string;
  sandbox?: string;
  controlSecret?: boolean;
  target?: string;
  writes?: boolean;
  caFile?: string;
  only?: string;
  slow?: boolean;
  resume?: boolean;
  clean?: boolean;
  run?: string;
  policy?: boolean;
  assembly?: string;
  once?: boolean;
  fault?: string;
  sandboxPort?: string;
  consolePort?: string;
  job?: boolean;
  verbose?: boolean;
  app?: boolean;
  add?: boolean;
  tenants?: string[];
  contentScopes?: string[];
  webhooksScopes?: string[];
  contentBaseUrl?: string;
  contentTokenBaseUrl?: string;
  webhooksBaseUrl?: string;
  webhooksTokenBaseUrl?: string;
  tenantServiceUrl?: string;
  /** `init --restore` */
  restore?: boolean;
  account?: string;
  region?: string;
  anyRegion?: boolean;
  alarmEmails?: string[];
  yes?: boolean;
  shell?: Shell;
  administrator?: boolean;
  local?: boolean;
  stateDir?: string;
  config?: string;
  profile?: string;
  json?: boolean;
  color: boolean;
}

/** Where a credential is tested before it is promoted. */
const PROOF_PLACES = ['here', 'function'] as const;
export type ProofPlace = (typeof PROOF_PLACES)[number];

/** Maximum parallel requests in a bulk restore. */
const MAX_PARALLEL = 32;

/** Maximum that `restore history` shows. More than fit on screens and in spreadsheets belong to the saved query. */
export const MAX_SHOWN_RESTORES = 10_000;

const OUTCOME_CODES: readonly string[] = [
  ...new Set(Object.values(OUTCOMES).map(({ code }: Outcome) => code ?? 'restored')),
];

const scopes = [...new Set(Object.values(SCOPES).flat())];

/** Every option of every command, by its name in {@link Flags}. */
const OPTIONS = {
  environment: () => word('--environment <name>', 'environment', ENVIRONMENTS),
  platformRegion: () => word('--platform-region <name>', 'platform region', PLATFORM_REGIONS),
  tenant: () => new Option('--tenant <id>', 'tenant identifier'),
  tenantPatterns: () =>
    new Option(
      '--tenant <pattern>',
      "tenant identifier, or a pattern such as 'eu-west-2_*'; can be repeated",
    ).argParser((found: string, before: string[] | undefined) => [...(before ?? []), found]),
  interface: () => word('--interface <name>', 'interface of the token', INTERFACES),
  scope: () => word('--scope <name>', 'scope of the token', scopes),
  kind: () => word('--kind <kind>', 'kind of credential', CREDENTIAL_KINDS),
  revokePrevious: () =>
    new Option('--revoke-previous', 'also revoke the previous credential now, for example after a leak'),
  proveBy: () =>
    word(
      '--prove-by <place>',
      'where the credential is tested; function, if this machine cannot reach the platform (default: here)',
      PROOF_PLACES,
    ),
  replace: () => new Option('--replace', 'replace a candidate that someone else just staged'),
  all: () => new Option('--all', 'all tokens of the tenant'),
  reveal: () => new Option('--reveal', 'print the token itself, to a terminal only'),
  watch: () => new Option('--watch', 'refresh every 5 s until Ctrl-C; less often with many tenants'),
  authorRef: () => value('--author-ref <ref>', 'reference of the author who restores the content'),
  collaborationId: () => value('--collaboration-id <id>', 'collaboration that owns the content'),
  from: () => value('--from <file>', 'restore a list: one content id or JSON object per line'),
  results: () =>
    value(
      '--results <file>',
      'outcome of each item; a bulk restore resumes from it (default: FILE.results.jsonl)',
    ),
  parallel: () => count('--parallel <n>', 'maximum parallel requests in a bulk restore', MAX_PARALLEL, 8),
  retryUnknown: () =>
    new Option(
      '--retry-unknown',
      'resend items with an unknown outcome; check first whether they are published',
    ),
  retryFailed: () => new Option('--retry-failed', 'resend items that were refused, except not_archived'),
  dryRun: () => new Option('--dry-run', 'show what would happen, and change nothing'),
  contentId: () => value('--content-id <id>', 'only restores of this content'),
  outcome: () =>
    new Option('--outcome <code>', 'only this outcome: restored, or a code of the restore API').argParser(
      (found: string) => {
        if (OUTCOME_CODES.includes(found)) return found;
        throw usageError('--outcome', showArgument(found), OUTCOME_CODES.join(', '));
      },
    ),
  traceId: () => value('--trace-id <id>', 'only the request with this trace id'),
  since: () => value('--since <time>', 'how far back: 30m, 24h or 7d, or a time in ISO 8601 (default: 24h)'),
  limit: () => count('--limit <n>', 'maximum restores to show, the latest ones', MAX_SHOWN_RESTORES, 100),
  shownTenants: () =>
    count('--limit <n>', 'maximum tenants to show, the most severe findings first', 100_000, 20),
  port: () =>
    new Option(
      '--port <n>',
      'port to listen on (default: any free one); the first one with --separate-ports',
    ),
  separatePorts: () => new Option('--separate-ports', 'use a separate port for each address'),
  seed: () => new Option('--seed <file>', 'JSON file with the initial cells, tenants and contents'),
  caFile: () =>
    new Option(
      '--ca-file <file>',
      'write the certificate to trust here, and keep it (default: .latchkey/sandbox-PORT-ca.pem, removed on exit)',
    ),
  sandbox: () => value('--sandbox <url>', 'control address of a sandbox, which each check resets first'),
  controlSecret: () =>
    new Option('--control-secret', 'read the secret of the sandbox’s control from standard input, as on AWS'),
  target: () => value('--target <file>', 'JSON file that describes a tenant of any platform'),
  writes: () =>
    new Option('--writes', 'also run checks that change contents of the tenant or generate API keys'),
  trustedCaFile: () =>
    value('--ca-file <file>', 'PEM file with the CA certificates to trust instead of the default ones'),
  only: () => value('--only <ids>', 'ask only these questions, with commas between them'),
  slow: () => new Option('--slow', 'also ask questions that take more than five minutes each'),
  clean: () =>
    new Option('--clean', 'remove what earlier runs of this folder left in the account, and do nothing else'),
  run: () =>
    value('--run <prefixes>', 'with --clean: these runs, also those of other folders or still running'),
  resultsDir: () => value('--results <dir>', 'folder for the report (default: .latchkey/prove)'),
  proveRegion: () => value('--region <name>', 'AWS region (default: that of your profile or environment)'),
  proveAccount: () => value('--account <id>', 'AWS account id; any other account is refused'),
  assembly: () =>
    value('--assembly <dir>', 'cloud assembly to run, such as cdk.out (default: in a checkout, its own app)'),
  once: () =>
    new Option('--once', 'load credentials, fetch tokens, restore one record, then stop; no console'),
  fault: () => value('--fault <json>', 'inject a fault into the sandbox once credentials are loaded'),
  noJob: () => new Option('--no-job', 'do not load credentials or fetch tokens'),
  endpointPort: () => value('--port <n>', 'port of the AWS endpoint (default: any free one)'),
  sandboxPort: () => value('--sandbox-port <n>', 'port of the sandbox (default: any free one)'),
  consolePort: () => value('--console-port <n>', 'port of the web console (default: any free one)'),
  runDir: () =>
    new Option(
      '--state-dir <dir>',
      `folder for local.json and the run’s other files (default: LATCHKEY_STATE_DIR, else ${USUAL_STATE_DIR})`,
    ),
  verbose: () => new Option('--verbose', 'show the log lines of all functions'),
  app: () => new Option('--app', 'also write a CDK app that deploys the configuration into this folder'),
  noApp: () => new Option('--no-app', 'write the configuration only, and do not ask for an app'),
  add: () => new Option('--add', 'add a deployment, or tenants to one, to the file'),
  tenants: () => new Option('--tenants <ids...>', 'tenant identifiers, as given by support'),
  contentScopes: () =>
    words('--content-scopes <names...>', 'scopes of the content tokens to keep', SCOPES.content),
  webhooksScopes: () =>
    words('--webhooks-scopes <names...>', 'scopes of the webhooks tokens to keep', SCOPES.webhooks),
  contentBaseUrl: () => value('--content-base-url <url>', 'base URL of the content interface'),
  contentTokenBaseUrl: () =>
    value('--content-token-base-url <url>', 'base URL for its tokens, before /oauth2/token'),
  webhooksBaseUrl: () => value('--webhooks-base-url <url>', 'base URL of the webhooks interface'),
  webhooksTokenBaseUrl: () => value('--webhooks-token-base-url <url>', 'base URL for its tokens'),
  tenantServiceUrl: () =>
    value('--tenant-service-url <url>', 'URL of the tenant service, to generate API keys'),
  restore: () =>
    new Option('--restore', 'the platform offers restore; adds the content token with scope api/write'),
  account: () =>
    new Option(
      '--account <id>',
      'AWS account id of the deployment, if the configuration does not name it',
    ).argParser((found: string) => {
      if (ACCOUNT_ID.test(found)) return found;
      throw usageError('--account', showArgument(found), ACCOUNT_RULE);
    }),
  region: () => value('--region <name>', 'AWS region (default: that of your profile)'),
  rolesRegion: () =>
    value('--region <name>', 'AWS region of the deployment, if the configuration does not name it'),
  anyRegion: () => new Option('--any-region', 'accept an AWS region that is newer than this version'),
  alarmEmails: () => new Option('--alarm-emails <addresses...>', 'e-mail addresses to notify of alarms'),
  fix: () => new Option('--fix', 'apply the available fixes, after you confirm'),
  yes: () => new Option('--yes', 'do not ask for confirmation'),
  shell: () => word('--shell <name>', 'shell that evaluates the lines', SHELLS),
  administrator: () =>
    new Option('--administrator', 'use the key of the local account’s administrator, who may do everything'),
  local: () => new Option('--local', 'use the running laptop system (npm start), not AWS'),
  stateDir: () =>
    new Option('--state-dir <dir>', `state directory of the laptop system (default: ${USUAL_STATE_DIR})`),
  config: () =>
    new Option('--config <file>', `configuration (default: LATCHKEY_CONFIG, else ${USUAL_CONFIGURATION})`),
  profile: () => new Option('--profile <name>', 'AWS profile; the usual AWS environment variables also work'),
  json: () => new Option('--json', 'print one JSON document to standard output'),
  color: () => new Option('--no-color', 'no colors; NO_COLOR does the same, FORCE_COLOR the opposite'),
} as const satisfies Record<string, () => Option>;
export type OptionName = keyof typeof OPTIONS;

const TENANT: OptionName[] = ['environment', 'platformRegion', 'tenant'];
const SYSTEM: OptionName[] = ['local', 'stateDir', 'config', 'profile', 'account'];
const OUTPUT: OptionName[] = ['json', 'color'];

/** Sets of options that commands share. */
export const OPTION_SETS = {
  tenant: TENANT,
  tenants: ['environment', 'platformRegion', 'tenantPatterns'],
  token: [...TENANT, 'interface', 'scope'],
  system: SYSTEM,
  output: OUTPUT,
} satisfies Record<string, OptionName[]>;

export function optionNamed(name: OptionName): Option {
  return OPTIONS[name]();
}

/** Flags that take no value, such as `--json`. */
export function switchFlags(): string[] {
  const options = Object.values(OPTIONS).map((make) => make());
  return [
    '-h',
    '--help',
    '-v',
    '--version',
    '--',
    ...options.filter(({ required }) => !required).map(({ long }) => long!),
  ];
}

/** An option that refuses another option as its value, for example because a shell variable was empty. */
function value(flags: string, description: string): Option {
  return new Option(flags, description).argParser((found: string) => {
    if (!Object.values(OPTIONS).some((make) => make().long === found)) return found;
    throw usageError(flags.split(' ')[0]!, 'nothing', 'a value after it');
  });
}

/** The words that an option allows; undefined if it is not limited to some. */
export function wordsOf(option: Option): readonly string[] | undefined {
  return option instanceof WordOption ? option.words : undefined;
}

class WordOption extends Option {
  readonly words: readonly string[];

  constructor(flags: string, description: string, words: readonly string[]) {
    super(flags, `${description}: ${words.join(', ')}`);
    this.words = words;
  }
}

/** An option whose value is a whole number from 1. */
function count(flags: string, description: string, most: number, usual: number): Option {
  const option = new Option(flags, `${description}: 1–${most} (default: ${usual})`);
  return option.argParser((found: string) => {
    if (/^[1-9]\d{0,5}$/.test(found) && Number(found) <= most) return Number(found);
    throw usageError(option.long!, showArgument(found), `1–${most}`);
  });
}

/** An option that allows a few words. Anything else may be a misplaced secret, so it is shown only if it looks like a word. */
function word(flags: string, description: string, words: readonly string[]): Option {
  return new WordOption(flags, description, words).argParser((found: string) =>
    allowedWord(flags, found, words),
  );
}

/** The same for an option that takes several words. */
function words(flags: string, description: string, allowed: readonly string[]): Option {
  return new WordOption(flags, description, allowed).argParser(
    (found: string, before: string[] | undefined) => [...(before ?? []), allowedWord(flags, found, allowed)],
  );
}

function allowedWord(flags: string, found: string, words: readonly string[]): string {
  if (words.includes(found)) return found;
  const shown = /^[a-z][a-z/-]{0,19}$/.test(found) ? found : 'something else';
  throw usageError(flags.split(' ')[0]!, shown, words.join(', '));
}

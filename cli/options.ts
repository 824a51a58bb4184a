import { Option } from 'commander';

import { ENVIRONMENTS, INTERFACES, PLATFORM_REGIONS, SCOPES } from '../core/deployment/platform';
import { LEARNING_PLATFORM } from '../core/issuers/learning-platform';
import { CREDENTIAL_KINDS } from '../core/secrets/secret-names';
import { type Outcome, OUTCOMES } from '../core/restore/restore-outcomes';
import { ACCOUNT_ID, ACCOUNT_RULE } from '../core/deployment/account-id';
import { usageError } from './command-error';
import { SHELLS } from './shells';
import { showArgument } from './safe-text';
import { DEFAULT_CONFIGURATION, DEFAULT_STATE_DIR } from './system';

/** Where a credential is tested before it is promoted. */
const PROOF_PLACES = ['here', 'function'] as const;

/** Parallel requests in a bulk restore. */
const MAX_PARALLEL = 32;
export const DEFAULT_PARALLEL = 8;

/** Tenants that `status` shows. With more, a summary comes first, then the tenants with the most severe findings. */
export const DEFAULT_SHOWN_TENANTS = 20;

/** Maximum that `restore history` shows. A saved query of CloudWatch Logs Insights shows more. */
export const MAX_SHOWN_RESTORES = 10_000;
export const DEFAULT_SHOWN_RESTORES = 100;

const OUTCOME_CODES: readonly string[] = [
  ...new Set(Object.values(OUTCOMES).map(({ code }: Outcome) => code ?? 'restored')),
];

/** The scopes of all interfaces of the built-in platform. */
export const PLATFORM_SCOPES = [...new Set(Object.values(SCOPES).flat())];

/** An option, with the type that commander gives its value. */
type Typed<Value> = Option & { readonly valueType?: Value };

/**
 * Every option of every command, by the name that commander gives its value. If one flag has several meanings, a suffix tells
 * them apart: `limit:tenants`.
 */
const OPTIONS = {
  issuer: () =>
    text('--issuer <name>', `issuer of the tokens: ${LEARNING_PLATFORM.name}, or another profile’s name`),
  environment: () => suggested('--environment <name>', 'environment', ENVIRONMENTS),
  platformRegion: () => suggested('--platform-region <name>', 'platform region', PLATFORM_REGIONS),
  tenant: () => text('--tenant <id>', 'tenant identifier'),
  'tenant:patterns': () =>
    repeatable(
      '--tenant <pattern>',
      "tenant identifier, or a pattern such as 'eu-west-2_*'; can be repeated",
    ),
  interface: () => suggested('--interface <name>', 'interface of the token', INTERFACES),
  scope: () => suggested('--scope <name>', 'scope of the token', PLATFORM_SCOPES),
  parameter: () =>
    repeatable('--parameter <name=value>', 'what the issuer’s profile asks for; can be repeated'),
  tokenBaseUrl: () =>
    value('--token-base-url <url>', 'base URL of the token endpoint, if not that of the issuer’s profile'),
  twice: () => toggle('--twice', 'send the request again, to see whether the issuer returns the same token'),
  kind: () => word('--kind <kind>', 'kind of credential', CREDENTIAL_KINDS),
  revokePrevious: () =>
    toggle('--revoke-previous', 'also revoke the previous credential now, for example after a leak'),
  proveBy: () =>
    word(
      '--prove-by <place>',
      'where the credential is tested; function, if this machine cannot reach the issuer (default: here)',
      PROOF_PLACES,
    ),
  replace: () => toggle('--replace', 'replace a candidate that someone else just staged'),
  all: () => toggle('--all', 'all tokens of the tenant'),
  reveal: () => toggle('--reveal', 'print the token itself, to a terminal only'),
  watch: () => toggle('--watch', 'refresh every 5 s until Ctrl-C; less often with many tenants'),
  authorRef: () => value('--author-ref <ref>', 'reference of the author who restores the content'),
  collaborationId: () => value('--collaboration-id <id>', 'collaboration that owns the content'),
  from: () => value('--from <file>', 'restore a list: one content id or JSON object per line'),
  results: () =>
    value(
      '--results <file>',
      'outcome of each item; a bulk restore resumes from it (default: FILE.results.jsonl)',
    ),
  parallel: () =>
    count('--parallel <n>', 'maximum parallel requests in a bulk restore', MAX_PARALLEL, DEFAULT_PARALLEL),
  retryUnknown: () =>
    toggle('--retry-unknown', 'resend items with an unknown outcome; check first whether they are published'),
  retryFailed: () => toggle('--retry-failed', 'resend items that were refused, except not_archived'),
  dryRun: () => toggle('--dry-run', 'show what would happen, and change nothing'),
  contentId: () => value('--content-id <id>', 'only restores of this content'),
  outcome: () =>
    text('--outcome <code>', 'only this outcome: restored, or a code of the restore API').argParser(
      (found: string) => {
        if (OUTCOME_CODES.includes(found)) return found;
        throw usageError('--outcome', showArgument(found), OUTCOME_CODES.join(', '));
      },
    ),
  traceId: () => value('--trace-id <id>', 'only the request with this trace id'),
  since: () => value('--since <time>', 'how far back: 30m, 24h or 7d, or a time in ISO 8601 (default: 24h)'),
  limit: () =>
    count(
      '--limit <n>',
      'maximum restores to show, the latest ones',
      MAX_SHOWN_RESTORES,
      DEFAULT_SHOWN_RESTORES,
    ),
  'limit:tenants': () =>
    count(
      '--limit <n>',
      'maximum tenants to show, the most severe findings first',
      100_000,
      DEFAULT_SHOWN_TENANTS,
    ),
  port: () =>
    text('--port <n>', 'port to listen on (default: any free one); the first one with --separate-ports'),
  separatePorts: () => toggle('--separate-ports', 'use a separate port for each address'),
  seed: () => text('--seed <file>', 'JSON file with the initial deployments, tenants and contents'),
  caFile: () =>
    text(
      '--ca-file <file>',
      'write the certificate to trust here, and keep it (default: .latchkey/sandbox-PORT-ca.pem, removed on exit)',
    ),
  target: () => value('--target <file>', 'JSON file that describes a tenant of any platform'),
  writes: () => toggle('--writes', 'also run checks that change contents of the tenant or generate API keys'),
  'caFile:trusted': () =>
    value('--ca-file <file>', 'PEM file with the CA certificates to trust instead of the default ones'),
  only: () => value('--only <ids>', 'ask only these questions, with commas between them'),
  slow: () => toggle('--slow', 'also ask questions that take more than five minutes each'),
  clean: () =>
    toggle('--clean', 'remove what earlier runs of this folder left in the account, and do nothing else'),
  run: () =>
    value('--run <prefixes>', 'with --clean: these runs, also those of other folders or still running'),
  'results:folder': () => value('--results <dir>', 'folder for the report (default: .latchkey/prove)'),
  'region:prove': () => value('--region <name>', 'AWS region (default: that of your profile or environment)'),
  'account:prove': () => value('--account <id>', 'AWS account id; any other account is refused'),
  assembly: () =>
    value('--assembly <dir>', 'cloud assembly to run, such as cdk.out (default: in a checkout, its own app)'),
  once: () => toggle('--once', 'load credentials, fetch tokens, restore one record, then stop; no console'),
  fault: () => value('--fault <json>', 'inject a fault into the sandbox once credentials are loaded'),
  job: () => toggle('--no-job', 'do not load credentials or fetch tokens'),
  'port:endpoint': () => value('--port <n>', 'port of the AWS endpoint (default: any free one)'),
  sandboxPort: () => value('--sandbox-port <n>', 'port of the sandbox (default: any free one)'),
  consolePort: () => value('--console-port <n>', 'port of the web console (default: any free one)'),
  'stateDir:run': () =>
    text(
      '--state-dir <dir>',
      `folder for local.json and the run’s other files (default: LATCHKEY_STATE_DIR, else ${DEFAULT_STATE_DIR})`,
    ),
  verbose: () => toggle('--verbose', 'show the log lines of all functions'),
  app: () => toggle('--app', 'also write a CDK app that deploys the configuration into this folder'),
  'app:none': () => toggle('--no-app', 'write the configuration only, and do not ask for an app'),
  add: () => toggle('--add', 'add a deployment, or tenants to one, to the file'),
  tenants: () => texts('--tenants <ids...>', 'tenant identifiers, as given by support'),
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
    toggle('--restore', 'the platform offers restore; adds the content token with scope api/write'),
  account: () =>
    text(
      '--account <id>',
      'AWS account id of the deployment, if the configuration does not name it',
    ).argParser((found: string) => {
      if (ACCOUNT_ID.test(found)) return found;
      throw usageError('--account', showArgument(found), ACCOUNT_RULE);
    }),
  region: () => value('--region <name>', 'AWS region (default: that of your profile)'),
  alarmEmails: () => texts('--alarm-emails <addresses...>', 'e-mail addresses to notify of alarms'),
  askPlatform: () =>
    toggle('--ask-platform', 'request new tokens, also in place of valid ones, to see what the issuer says'),
  'replace:token': () => toggle('--replace', 'request a new token even if the stored one is valid'),
  fix: () => toggle('--fix', 'apply the available fixes, after you confirm'),
  yes: () => toggle('--yes', 'do not ask for confirmation; without a terminal, no command asks'),
  shell: () => word('--shell <name>', 'shell that evaluates the lines', SHELLS),
  administrator: () =>
    toggle('--administrator', 'use the key of the local account’s administrator, who may do everything'),
  local: () => toggle('--local', 'use the running laptop system (npm start), not AWS'),
  stateDir: () =>
    text('--state-dir <dir>', `state directory of the laptop system (default: ${DEFAULT_STATE_DIR})`),
  config: () =>
    text('--config <file>', `configuration (default: LATCHKEY_CONFIG, else ${DEFAULT_CONFIGURATION})`),
  prefix: () =>
    text(
      '--prefix <name>',
      'prefix of the deployment’s names, if no configuration has it (default: latchkey)',
    ),
  profile: () => text('--profile <name>', 'AWS profile; the usual AWS environment variables also work'),
  json: () => toggle('--json', 'print one JSON document to standard output'),
  color: () => toggle('--no-color', 'no colors; NO_COLOR does the same, FORCE_COLOR the opposite'),
} as const satisfies Record<string, () => Option>;
export type OptionName = keyof typeof OPTIONS;

type NameOf<Name extends string> = Name extends `${infer Flag}:${string}` ? Flag : Name;
type ValueOf<Made> = Made extends Typed<infer Value> ? Value : never;

/** The values of some options, as commander returns them. */
export type FlagsOf<Names extends OptionName> = {
  [Name in Names as NameOf<Name>]?: ValueOf<ReturnType<(typeof OPTIONS)[Name]>>;
};

/** Sets of options that commands share. */
export const OPTION_SETS = {
  tenant: ['issuer', 'environment', 'platformRegion', 'tenant'],
  tenants: ['issuer', 'environment', 'platformRegion', 'tenant:patterns'],
  token: ['issuer', 'environment', 'platformRegion', 'tenant', 'interface', 'scope'],
  system: ['local', 'stateDir', 'config', 'prefix', 'profile', 'account'],
  output: ['json', 'color'],
} as const satisfies Record<string, readonly OptionName[]>;

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

function option<Value>(flags: string, description: string): Typed<Value> {
  return new Option(flags, description);
}

const toggle = option<boolean>;
const text = option<string>;
const texts = option<string[]>;

function repeatable(flags: string, description: string): Typed<string[]> {
  return new Option(flags, description).argParser((found: string, before: string[] = []) => [
    ...before,
    found,
  ]);
}

/** An option that refuses another option as its value, for example because a shell variable was empty. */
function value(flags: string, description: string): Typed<string> {
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

  constructor(flags: string, description: string, words: readonly string[], more = '') {
    super(flags, `${description}: ${words.join(', ')}${more}`);
    this.words = words;
  }
}

/** An option whose value is a whole number from 1. */
function count(flags: string, description: string, max: number, byDefault: number): Typed<number> {
  const option = new Option(flags, `${description}: 1–${max} (default: ${byDefault})`);
  return option.argParser((found: string) => {
    if (/^[1-9]\d{0,5}$/.test(found) && Number(found) <= max) return Number(found);
    throw usageError(option.long!, showArgument(found), `1–${max}`);
  });
}

/** An option that suggests the built-in platform's words. The deployments decide which ones are allowed. */
function suggested(flags: string, description: string, words: readonly string[]): Typed<string> {
  return new WordOption(flags, description, words, ', or another issuer’s');
}

/** An option that allows a few words. */
function word<Word extends string>(flags: string, description: string, words: readonly Word[]): Typed<Word> {
  return new WordOption(flags, description, words).argParser((found: string) => {
    requireWord(flags.split(' ')[0]!, found, words);
    return found;
  });
}

/** The same for an option that takes several words. */
function words(flags: string, description: string, allowed: readonly string[]): Typed<string[]> {
  return new WordOption(flags, description, allowed).argParser((found: string, before: string[] = []) => {
    requireWord(flags.split(' ')[0]!, found, allowed);
    return [...before, found];
  });
}

/** Anything else may be a misplaced secret, so it is shown only if it looks like a word. @throws {CommandError} usage */
export function requireWord(flag: string, found: string, words: readonly string[]): void {
  if (words.includes(found)) return;
  const shown = /^[a-z][a-z/-]{0,19}$/.test(found) ? found : 'something else';
  throw usageError(flag, shown, words.join(', '));
}

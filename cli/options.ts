import { Option } from 'commander';

import { ENVIRONMENTS, INTERFACES, PLATFORM_REGIONS, SCOPES } from '../contract/platform';
import { CREDENTIAL_KINDS, type CredentialKind } from '../contract/secret-names';
import { type TokenFlags } from './choose-tenant';
import { usageError } from './command-error';
import { showArgument } from './safe-text';
import { USUAL_CONFIGURATION, USUAL_STATE_DIR } from './system';

/** What commander makes of all options that a command may have. */
export interface Flags extends TokenFlags {
  kind?: CredentialKind;
  revokePrevious?: boolean;
  replace?: boolean;
  all?: boolean;
  reveal?: boolean;
  watch?: boolean;
  fix?: boolean;
  /** The argument of `restore`. */
  contentId?: string;
  authorRef?: string;
  collaborationId?: string;
  from?: string;
  results?: string;
  parallel?: number;
  retryUnknown?: boolean;
  retryFailed?: boolean;
  port?: string;
  separatePorts?: boolean;
  seed?: string;
  caFile?: string;
  yes?: boolean;
  local?: boolean;
  stateDir?: string;
  config?: string;
  profile?: string;
  json?: boolean;
  color: boolean;
}

/** Maximum parallel requests in a bulk restore. */
const MAX_PARALLEL = 32;

const scopes = [...new Set(Object.values(SCOPES).flat())];

/** Every option of every command, by the name that commands list it under. */
const OPTIONS = {
  environment: () => word('--environment <name>', 'environment', ENVIRONMENTS),
  platformRegion: () => word('--platform-region <name>', 'region of the platform', PLATFORM_REGIONS),
  tenant: () => new Option('--tenant <id>', 'tenant identifier'),
  interface: () => word('--interface <name>', 'interface of the token', INTERFACES),
  scope: () => word('--scope <name>', 'scope of the token', scopes),
  kind: () => word('--kind <kind>', 'which credential', CREDENTIAL_KINDS),
  revokePrevious: () =>
    new Option('--revoke-previous', 'then end the credential that was replaced at once, as after a leak'),
  replace: () => new Option('--replace', 'replace a candidate that somebody else staged just now'),
  all: () => new Option('--all', 'all tokens of the tenant'),
  reveal: () => new Option('--reveal', 'print the token itself; only on a terminal'),
  watch: () => new Option('--watch', 'draw anew every 5 s, until Ctrl-C'),
  authorRef: () => value('--author-ref <ref>', 'reference of the author who restores'),
  collaborationId: () => value('--collaboration-id <id>', 'collaboration that owns the content'),
  from: () => value('--from <file>', 'restore the contents of a list: one id, or JSON object, in each line'),
  results: () =>
    value('--results <file>', 'what became of each, and where a run is taken up again (FILE.results.jsonl)'),
  parallel: () =>
    new Option('--parallel <n>', `how many at a time: 1–${MAX_PARALLEL} (8)`).argParser((found: string) => {
      if (/^\d{1,2}$/.test(found) && Number(found) >= 1 && Number(found) <= MAX_PARALLEL)
        return Number(found);
      throw usageError('--parallel', showArgument(found), `1–${MAX_PARALLEL}`);
    }),
  retryUnknown: () =>
    new Option('--retry-unknown', 'send those again whose outcome is unknown, after you have looked'),
  retryFailed: () => new Option('--retry-failed', 'send those again that were refused, but for not_archived'),
  port: () =>
    new Option('--port <n>', 'port to listen on (any that is free); with --separate-ports the first of them'),
  separatePorts: () => new Option('--separate-ports', 'each address on a port of its own'),
  seed: () => new Option('--seed <file>', 'what it starts with: cells, tenants, contents, in JSON'),
  caFile: () =>
    new Option(
      '--ca-file <file>',
      'where to write the certificate to trust, and leave it (.latchkey/sandbox-PORT-ca.pem, removed at the end)',
    ),
  fix: () => new Option('--fix', 'repair what can be repaired, after you agree'),
  yes: () => new Option('--yes', 'agree beforehand'),
  local: () => new Option('--local', 'the running laptop system (npm start) instead of AWS'),
  stateDir: () => new Option('--state-dir <dir>', `its state directory (${USUAL_STATE_DIR})`),
  config: () => new Option('--config <file>', `configuration (LATCHKEY_CONFIG, else ${USUAL_CONFIGURATION})`),
  profile: () => new Option('--profile <name>', 'AWS profile; AWS’s usual environment variables hold too'),
  json: () => new Option('--json', 'one JSON document on standard output, for programs'),
  color: () => new Option('--no-color', 'no colours (as with NO_COLOR)'),
} as const satisfies Record<string, () => Option>;
export type OptionName = keyof typeof OPTIONS;

const TENANT: OptionName[] = ['environment', 'platformRegion', 'tenant'];
const SYSTEM: OptionName[] = ['local', 'stateDir', 'config', 'profile'];
const OUTPUT: OptionName[] = ['json', 'color'];

/** Sets of options that commands share. */
export const OPTION_SETS = {
  tenant: TENANT,
  token: [...TENANT, 'interface', 'scope'],
  system: SYSTEM,
  output: OUTPUT,
} satisfies Record<string, OptionName[]>;

/** The option of a name. */
export function optionNamed(name: OptionName): Option {
  return OPTIONS[name]();
}

/** Flags that take no value, such as `--json`. */
export function switchFlags(): string[] {
  const options = Object.values(OPTIONS).map((make) => make());
  return [
    '-h',
    '--help',
    '--version',
    '--',
    ...options.filter(({ required }) => !required).map(({ long }) => long!),
  ];
}

/** An option that does not take the next one for its value, as where a variable of the shell is empty. */
function value(flags: string, description: string): Option {
  return new Option(flags, description).argParser((found: string) => {
    if (!Object.values(OPTIONS).some((make) => make().long === found)) return found;
    throw usageError(flags.split(' ')[0]!, 'nothing', 'a value behind it');
  });
}

/** An option with one of a few words; what was found may be a secret in the wrong place, and is shown as a word only. */
function word(flags: string, description: string, words: readonly string[]): Option {
  const allowed = words.join(', ');
  return new Option(flags, `${description}: ${allowed}`).argParser((found: string) => {
    if (words.includes(found)) return found;
    const shown = /^[a-z][a-z/-]{0,19}$/.test(found) ? found : 'something else';
    throw usageError(flags.split(' ')[0]!, shown, allowed);
  });
}

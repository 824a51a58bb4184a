import { parseArgs } from 'node:util';

import { CommandError, usageError } from '../cli/command-error';
import { EXIT } from '../cli/exit-codes';
import { showArgument } from '../cli/safe-text';
import { ACCOUNT_ID, ACCOUNT_RULE } from '../contract/account-id';
import { type Group, GROUPS } from '../probes/probe';
import { isRunPrefix, RUN_PREFIX } from './run-record';

export const USAGE = `usage: latchkey prove [--profile NAME] [--region NAME] [--account ID] [--only GROUPS] [--slow]
                      [--resume] [--results DIR] [--yes] [--json]
       latchkey prove --local [--state-dir DIR] [...]
       latchkey prove --clean [--run PREFIXES] [...]
       latchkey prove --policy

Deploys Latchkey and a sandbox of the platform to an AWS account, checks what Latchkey relies on, and removes everything.

  --profile NAME  AWS profile; the usual AWS environment variables also work
  --region NAME   AWS region (default: that of your profile or environment)
  --account ID    AWS account id; any other account is refused
  --local         use the running laptop system as the account
  --state-dir DIR state directory of the laptop system
  --only GROUPS   only these groups of probes, with commas between them:
                  ${GROUPS.join(', ')}
  --slow          also run probes that take more than five minutes each
  --resume        continue a run that ended early, with what it has deployed
  --clean         remove what earlier runs of this folder left in the account, and do nothing else
  --run PREFIXES  with --clean: these runs, even if they still run or somebody else began them
  --policy        print the IAM policy that the command needs, and do nothing else
  --results DIR   folder for the results (default: .latchkey/prove)
  --yes           do not ask for confirmation; in a script, --account is needed too
  --json          print one JSON document to standard output
  --no-color      no colors
  --help          show this help`;

/** The results of runs, and the records of those that are not cleaned up. */
const USUAL_RESULTS_DIR = '.latchkey/prove';

/** What `latchkey prove` is asked to do, and where. */
export interface ProveOptions {
  readonly action: 'run' | 'resume' | 'clean' | 'policy' | 'help';
  readonly profile?: string;
  readonly region?: string;
  readonly account?: string;
  /** Whether the running laptop system stands for the account. */
  readonly local: boolean;
  readonly stateDir?: string;
  /** In the order in which they run. */
  readonly groups: readonly Group[];
  readonly slow: boolean;
  /** Prefixes of runs to clean up. */
  readonly runs: readonly string[];
  /** As given: relative to the working directory. */
  readonly resultsDir: string;
  readonly yes: boolean;
  readonly json: boolean;
  readonly color: boolean;
}

/**
 * Parses the arguments of `latchkey prove`.
 * @throws {CommandError} usage
 */
export function readProveOptions(args: readonly string[]): ProveOptions {
  const values = parse(args);
  const { profile, region, account, local = false, 'state-dir': stateDir } = values;
  const actions = (['resume', 'clean', 'policy', 'help'] as const).filter((name) => values[name] === true);
  const [action = 'run', second] = actions.includes('help') ? ['help' as const] : actions;
  if (second !== undefined) throw usageError(`--${second}`, `together with --${action}`, 'one of them');
  for (const [name, given] of Object.entries(values)) {
    if (given === '') throw usageError(`--${name}`, 'an empty text', 'a value');
  }
  const place = { profile, region, account };
  for (const [name, given] of Object.entries(place)) {
    if (local && given !== undefined)
      throw usageError(`--${name}`, 'a value with --local', 'only one of them');
  }
  if (!local && stateDir !== undefined)
    throw usageError('--state-dir', 'a value without --local', 'with --local');
  if (account !== undefined && !ACCOUNT_ID.test(account))
    throw usageError('--account', showArgument(account), ACCOUNT_RULE);
  if (region !== undefined && !/^[a-z]{2,4}(-[a-z]+)+-\d$/.test(region))
    throw usageError('--region', showArgument(region), 'an AWS region such as eu-west-1');
  const { only, slow = false } = values;
  if (values.run !== undefined && action !== 'clean')
    throw usageError(
      '--run',
      `together with ${action === 'run' ? 'no action' : `--${action}`}`,
      'with --clean',
    );
  if ((only !== undefined || slow) && (action === 'clean' || action === 'policy')) {
    throw usageError(only === undefined ? '--slow' : '--only', `together with --${action}`, 'without it');
  }
  return {
    ...{ action, profile, region, account, local, stateDir, slow },
    groups: groupsOf(only),
    runs: runsOf(values.run),
    resultsDir: values.results ?? USUAL_RESULTS_DIR,
    yes: values.yes === true,
    json: values.json === true,
    color: values['no-color'] !== true,
  };
}

function runsOf(run: string | undefined): readonly string[] {
  const prefixes = run?.split(',').map((prefix) => prefix.trim()) ?? [];
  const wrong = prefixes.find((prefix) => !isRunPrefix(prefix));
  if (wrong !== undefined)
    throw usageError('--run', showArgument(wrong), `prefixes of runs such as ${RUN_PREFIX}3f9a2c41`);
  return prefixes;
}

function groupsOf(only: string | undefined): readonly Group[] {
  if (only === undefined) return GROUPS;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !GROUPS.some((group) => group === name));
  if (unknown !== undefined) throw usageError('--only', showArgument(unknown), GROUPS.join(', '));
  return GROUPS.filter((group) => names.includes(group));
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        profile: { type: 'string' },
        region: { type: 'string' },
        account: { type: 'string' },
        local: { type: 'boolean' },
        'state-dir': { type: 'string' },
        only: { type: 'string' },
        slow: { type: 'boolean' },
        resume: { type: 'boolean' },
        clean: { type: 'boolean' },
        run: { type: 'string' },
        policy: { type: 'boolean' },
        results: { type: 'string' },
        yes: { type: 'boolean' },
        json: { type: 'boolean' },
        'no-color': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new CommandError(EXIT.usage, 'usage', optionFault(error as NodeJS.ErrnoException), {
      advice: USAGE,
    });
  }
}

/** What parseArgs found wrong. Its own message quotes the argument, which may be a secret. */
function optionFault({ code, message }: NodeJS.ErrnoException): string {
  const option = /'(?:-\w, )?(--[a-z][a-z-]{0,30})/.exec(message)?.[1];
  const fault = (place: string, found: string, allowed: string) => usageError(place, found, allowed).message;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return fault('arguments', `the unknown option ${option ?? '(not shown)'}`, 'the options below');
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return fault('arguments', 'a word', 'options only');
  return message.includes('does not take an argument')
    ? fault(option ?? 'arguments', 'a value', 'no value')
    : fault(option ?? 'arguments', 'nothing', 'a value after it');
}

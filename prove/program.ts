import { CommandError, interruption } from '../cli/command-error';
import { EXIT, type ExitCode } from '../cli/exit-codes';
import { refuseSecretArguments } from '../cli/secret-arguments';
import { type Terminal } from '../cli/terminal';
import { type Caller, type CallerSurroundings, findCaller } from './caller';
import { type ProveOptions, readProveOptions, USAGE } from './options';

/** What `latchkey prove` does once it knows where. Each ends with the exit code, and cleans up when interrupted. */
export interface ProveActions {
  /** Deploys, probes, removes everything and reports. With the action `resume`, continues an earlier run. */
  run(prepared: Prepared): Promise<ExitCode>;
  /** Removes what earlier runs left behind. */
  clean(prepared: Prepared): Promise<ExitCode>;
  /** The IAM policy that the command needs. Asks nothing of AWS. */
  policy(place: Pick<ProveOptions, 'account' | 'region'>): object;
}

/** One command whose account is known. */
export interface Prepared {
  readonly options: ProveOptions;
  readonly caller: Caller;
  readonly terminal: Terminal;
  readonly surroundings: CallerSurroundings;
}

/**
 * Runs `latchkey prove`.
 * @param args without Node and the script
 * @throws {CommandError}
 */
export async function runProve(
  args: readonly string[],
  terminal: Terminal,
  surroundings: CallerSurroundings,
  actions: ProveActions,
): Promise<ExitCode> {
  refuseSecretArguments(args);
  const options = readProveOptions(args);
  if (options.action === 'help') {
    terminal.result({ usage: USAGE }, () => USAGE);
    return EXIT.done;
  }
  if (options.action === 'policy') {
    const policy = actions.policy(options);
    terminal.result(policy, () => JSON.stringify(policy, null, 2));
    return EXIT.done;
  }
  const caller = await findCaller(options, surroundings);
  requireConfirmation(options, caller, terminal);
  const prepared = { options, caller, terminal, surroundings };
  return options.action === 'clean' ? actions.clean(prepared) : actions.run(prepared);
}

/** A person is asked; a script names the account that it means. */
function requireConfirmation(
  { yes, account }: ProveOptions,
  { place, laptop }: Caller,
  terminal: Terminal,
): void {
  if (laptop !== undefined || terminal.isInteractive) return;
  const missing = [
    ...(account === undefined ? [`--account ${place.accountId}`] : []),
    ...(yes ? [] : ['--yes']),
  ];
  if (missing.length === 0) return;
  throw new CommandError(
    EXIT.usage,
    'usage',
    `${missing[0]!.split(' ')[0]!}: found nothing, and nobody to ask; allowed: --account and --yes in a script`,
    { advice: `If ${place.accountId} (${place.region}) is the right account, add ${missing.join(' ')}` },
  );
}

/**
 * Asks a person whether to go on.
 * @throws {CommandError} `declined`, `interrupted`
 */
export async function askWhetherToGoOn({ options, terminal }: Prepared, question: string): Promise<void> {
  if (terminal.interrupted.aborted) throw interruption();
  if (options.yes || !terminal.isInteractive || (await terminal.confirm(question))) return;
  throw new CommandError(EXIT.failed, 'declined', 'nothing was changed');
}

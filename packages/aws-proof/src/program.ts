import { CommandError } from '../../../cli/command-error';
import { EXIT, type ExitCode } from '../../../cli/exit-codes';
import { refuseSecretArguments } from '../../../cli/secret-arguments';
import { type Terminal } from '../../../cli/terminal';
import { type CallerSurroundings, findCaller } from './caller';
import { readProveOptions } from './options';
import { type clean, type Prepared, type run } from './run';

/**
 * Runs `latchkey prove`. A person is asked before anything changes; a script names the account that it means.
 * @param args without Node and the script
 * @param actions what it does once it knows where; each cleans up when it is interrupted
 * @throws {CommandError}
 */
export async function runProve(
  args: readonly string[],
  terminal: Terminal,
  surroundings: CallerSurroundings,
  actions: { readonly run: typeof run; readonly clean: typeof clean },
): Promise<ExitCode> {
  refuseSecretArguments(args);
  const options = readProveOptions(args);
  const caller = await findCaller(options, surroundings);
  const { accountId, region } = caller.place;
  const missing = [
    ...(options.account === undefined ? [`--account ${accountId}`] : []),
    ...(options.yes ? [] : ['--yes']),
  ];
  if (caller.laptop === undefined && !terminal.isInteractive && missing.length > 0)
    throw new CommandError(
      EXIT.usage,
      'usage',
      `${missing[0]!.split(' ')[0]!}: found nothing, and nobody to ask; allowed: --account and --yes in a script`,
      { advice: `If ${accountId} (${region}) is the right account, add ${missing.join(' ')}` },
    );
  const prepared: Prepared = { options, caller, terminal, surroundings };
  return options.clean ? actions.clean(prepared) : actions.run(prepared);
}

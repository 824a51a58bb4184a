import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { usageError } from '../../../cli/command-error';
import { type Terminal } from '../../../cli/terminal';
import { sendHttps } from '../../../lambdas/shared/adapters/https-client';
import { type Caller, findCaller } from './caller';
import { cdkStacks } from './cdk-stacks';
import { cleanUp, type CleanUpReport } from './clean-up/clean-up';
import { type RunRecord, type RunRecords, runRecords } from './clean-up/runs';
import { findDeployingPackages } from './deploying-packages';
import { laptopPorts } from './laptop';
import { type ProveOptions, readProveOptions } from './options';
import { type Ports, type Surroundings, timeOf } from './ports';
import { synthesizeWith } from './synthesize';

/** One run of `latchkey prove`: its options, and the account that it works on. */
export interface ProveCommand {
  readonly options: ProveOptions;
  readonly caller: Caller;
  readonly terminal: Terminal;
  readonly surroundings: Surroundings;
}

/**
 * Reads the arguments of `latchkey prove`, and asks AWS who runs it. A person is asked for consent later; a script must name the
 * account that it means.
 * @param args without Node and the script
 * @throws {CommandError} usage; `not_signed_in`, `other_account`
 */
export async function prepareCommand(
  args: readonly string[],
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<ProveCommand> {
  const options = readProveOptions(args);
  const caller = await findCaller(options, surroundings);
  const { accountId, region } = caller.location;
  const hasConsented = options.account !== undefined && options.yes;
  if (caller.laptop === undefined && !terminal.isInteractive && !hasConsented)
    throw usageError(
      '--account and --yes',
      'not both, and nobody to ask',
      'both in a script',
      `If ${accountId} (${region}) is the right account, add --account ${accountId} --yes`,
    );
  return { options, caller, terminal, surroundings };
}

/** The ports of a command. @param interrupted ends waits, deployments and programs */
export async function portsOf(
  { caller, surroundings, terminal }: ProveCommand,
  interrupted: AbortSignal,
): Promise<Ports> {
  const { laptop, location, clientConfig } = caller;
  const { workingDir, projectRoot } = surroundings;
  const synthesize = synthesizeWith({ workingDir, projectRoot, interrupted });
  if (laptop !== undefined) return laptopPorts(laptop, { location, synthesize });
  return {
    location,
    clientConfig: () => clientConfig,
    time: timeOf(Date.now, (sec) => sleep(sec * 1000, undefined, { signal: interrupted })),
    stacks: cdkStacks({
      packageDir: findDeployingPackages(workingDir, projectRoot)['aws-cdk'],
      signal: interrupted,
      onLine: (line) => terminal.say(`  ${line}`),
      clientConfig,
    }),
    synthesize,
    sendRequest: sendHttps,
  };
}

/** Removes a run, even if a first signal has come: only a second one ends the process. */
export async function removeRun(record: RunRecord, command: ProveCommand): Promise<CleanUpReport> {
  const ports = await portsOf(command, new AbortController().signal);
  return cleanUp(record, { ...ports, records: recordsOf(command) });
}

/** The folder of reports and records. */
export const resultsDir = ({ options, surroundings }: ProveCommand): string =>
  resolve(surroundings.workingDir, options.results);

export const recordsOf = (command: ProveCommand): RunRecords => runRecords(resultsDir(command));

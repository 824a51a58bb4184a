import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { findDeployingPackages } from './deploying-packages';
import { sendHttps } from '../../../lambdas/shared/adapters/https-client';
import { type ProveCommand } from './caller';
import { cdkStacks } from './cdk-stacks';
import { cleanUp, type CleanUpReport } from './clean-up/clean-up';
import { type RunRecord, type RunRecords, runRecords } from './clean-up/runs';
import { laptopPorts } from './laptop';
import { type Ports, timeOf } from './ports';
import { synthesizeWith } from './synthesize';

/** The account of a command. @param interrupted ends waits, deployments and programs */
export async function portsOf(
  { caller, surroundings, terminal }: ProveCommand,
  interrupted: AbortSignal,
): Promise<Ports> {
  const { laptop, location, settings } = caller;
  const { workingDir, projectRoot } = surroundings;
  const synthesize = synthesizeWith({ workingDir, projectRoot, interrupted });
  if (laptop !== undefined) return laptopPorts(laptop, { location, synthesize });
  return {
    location,
    clientConfig: () => settings,
    time: timeOf(Date.now, (sec) => sleep(sec * 1000, undefined, { signal: interrupted })),
    stacks: cdkStacks({
      packageDir: findDeployingPackages(workingDir, projectRoot)['aws-cdk'],
      signal: interrupted,
      onLine: (line) => terminal.say(`  ${line}`),
      clientConfig: settings,
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

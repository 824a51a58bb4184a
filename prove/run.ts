import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { CommandError, interruption } from '../cli/command-error';
import { EXIT, type ExitCode } from '../cli/exit-codes';
import { clockOf } from '../cli/local-run';
import { accountPorts } from './account-ports';
import { type AnnouncedRun, announceRun } from './announce-run';
import { chosenProbes } from './chosen-probes';
import { cleanUp, type CleanUpReport, findRuns, listRun } from './clean-up';
import { mustBeNamed } from './clean-up/run-names';
import { deployRun } from './deploy-run';
import { laptopPorts } from './laptop-ports';
import { type Ports } from './ports';
import { askWhetherToGoOn, type Prepared } from './program';
import { resultOf, resultText, writeResult } from './results';
import { type ProbeResult, runProbes } from './run-probes';
import { type RunRecord, RunRecords } from './run-record';
import { synthesize } from './synthesize';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Deploys, probes, removes everything and reports. What fails on the way is reported after everything is removed.
 * @throws {CommandError}
 */
export async function run(prepared: Prepared): Promise<ExitCode> {
  const { caller, options, terminal, surroundings } = prepared;
  const records = recordsOf(prepared);
  const { record, announced } = await beginning(prepared, records);
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-prove-'));
  const chosen = chosenProbes(options);
  const probes: ProbeResult[] = [];
  const startedAt = new Date();
  let failure: Error | undefined;
  let hasFailed = false;
  let report: CleanUpReport;
  try {
    try {
      await probe();
    } catch (error) {
      failure = error as Error;
    }
    if (surroundings.interrupted.aborted) failure = interruption();
    terminal.say('removing everything');
    try {
      report = await remove(record, prepared, folder);
    } catch (error) {
      // What was seen until then is still reported.
      failure = notRemoved(record, error as Error);
      const left = [{ kind: 'run', name: record.prefix, reason: 'its removal ended early' }];
      report = { prefix: record.prefix, removed: {}, left, notServed: [] };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const endedAt = new Date();
  const result = resultOf({
    ...{ startedAt, endedAt, caller, probes },
    costUsd: announced.plan.priceAfter((endedAt.getTime() - startedAt.getTime()) / HOUR_MS).totalUsd,
    left: report.left.map(({ kind, name, reason }) => ({ what: `${kind} ${name}`, why: reason })),
  });
  let files: readonly string[] = [];
  try {
    files = writeResult(resultsDir(prepared), result, chosen);
  } catch (error) {
    // What was seen is still printed.
    failure ??= unwritable(error);
  }
  terminal.result(result, (style) => resultText(result, files, style));
  if (failure !== undefined) throw failure;
  return result.totals.differs > 0 || hasFailed || isLeft(report) ? EXIT.failed : EXIT.done;

  async function probe(): Promise<void> {
    const ports = await portsOf(prepared, { ...announced, folder });
    const interrupt = following(surroundings.interrupted);
    const isDeployed = chosen.some(({ needs }) => needs === 'latchkey');
    const onStep = (text: string) => terminal.say(text);
    const latchkey = isDeployed
      ? await deployRun({ prefix: record.prefix, ports, folder, interrupt, onStep })
      : undefined;
    const probed = {
      ...{ ports, prefix: record.prefix, latchkey, signal: surroundings.interrupted },
      onError: () => (hasFailed = true),
    };
    await runProbes(chosen, probed, (seen) => {
      probes.push(seen);
      terminal.say(`${seen.verdict}: ${seen.id}: ${seen.seen}`);
    });
  }
}

function notRemoved({ prefix }: RunRecord, cause: Error): CommandError {
  const message = `the removal of ${prefix} ended early: ${cause.name}`;
  const advice = 'Remove the rest with the same options: latchkey prove --clean';
  return new CommandError(EXIT.failed, 'not_removed', message, { cause, advice });
}

function unwritable(error: unknown): CommandError {
  const { code } = error as NodeJS.ErrnoException;
  return new CommandError(EXIT.failed, 'results_not_written', `the result cannot be written: ${code}`, {
    cause: error,
  });
}

/**
 * Removes what earlier runs left in the account: those recorded here that have ended, or those that are named.
 * @throws {CommandError}
 */
export async function clean(prepared: Prepared): Promise<ExitCode> {
  const { caller, terminal } = prepared;
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-prove-'));
  try {
    const ports = await portsOf(prepared, { prefix: '', folder, hasLoggingRole: true });
    const options = { ...ports, records: recordsOf(prepared), signal: prepared.surroundings.interrupted };
    const found = await findRuns(options);
    const named = prepared.options.runs;
    const unknown = named.find((name) => !found.some(({ prefix }) => prefix === name));
    if (unknown !== undefined)
      throw new CommandError(EXIT.failed, 'not_found', `--run: found ${unknown}, of which nothing is left`, {
        advice: 'See what is left: latchkey prove --clean',
      });
    const now = await ports.time.now();
    const runs: RunRecord[] = [];
    const others: { prefix: string; reason: string }[] = [];
    for (const run of found) {
      const reason = mustBeNamed(run, isAlive);
      const isChosen = named.length === 0 ? reason === undefined : named.includes(run.prefix);
      terminal.say(`${run.prefix}: ${describeRun(run, now)}`);
      if (isChosen) {
        runs.push(run);
        for (const line of await listRun(run, options)) terminal.say(`  ${line}`);
      } else if (named.length === 0) {
        others.push({ prefix: run.prefix, reason: reason! });
        terminal.say(`  left alone: ${reason}. To remove it: latchkey prove --clean --run ${run.prefix}`);
      }
    }
    if (runs.length === 0) {
      terminal.result({ runs: [], others }, () => 'Nothing is left of an earlier run of this folder.');
      return EXIT.done;
    }
    const { accountId, region } = caller.place;
    await askWhetherToGoOn(prepared, `Remove ${runs.length} from ${accountId}, ${region}?`);
    const reports: CleanUpReport[] = [];
    for (const record of runs) reports.push(await remove(record, prepared, folder));
    terminal.result({ runs: reports, others }, () => reports.flatMap(reportLines).join('\n'));
    return reports.some(isLeft) ? EXIT.failed : EXIT.done;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Beginning {
  readonly record: RunRecord;
  readonly announced: AnnouncedRun;
}

/** A new run, or with `--resume` the latest one that has a record. */
async function beginning(prepared: Prepared, records: RunRecords): Promise<Beginning> {
  const { options, caller } = prepared;
  const { accountId, region } = caller.place;
  const known = options.action === 'resume' ? records.list(caller.place).at(-1) : undefined;
  if (options.action === 'resume' && known === undefined)
    throw new CommandError(EXIT.failed, 'not_found', `no run of ${accountId}, ${region} can be resumed`, {
      advice: 'To remove what has no record here: latchkey prove --clean',
    });
  const announced = await announceRun(prepared, known?.prefix);
  const { prefix } = announced;
  const record: RunRecord = {
    createdAt: new Date().toISOString(),
    restApiIds: [],
    keyIds: [],
    owner: caller.arn,
    ...known,
    prefix,
    accountId,
    region,
    pid: process.pid,
  };
  records.save(record);
  return { record, announced };
}

/** A signal that has come stops no removal: the second one ends the process. */
async function remove(record: RunRecord, prepared: Prepared, folder: string): Promise<CleanUpReport> {
  const { signal } = new AbortController();
  const surroundings = { ...prepared.surroundings, interrupted: signal };
  const ports = await portsOf(
    { ...prepared, surroundings },
    { prefix: record.prefix, folder, hasLoggingRole: true },
  );
  return cleanUp(record, { ...ports, records: recordsOf(prepared), signal });
}

interface RunPlace {
  readonly prefix: string;
  readonly folder: string;
  readonly hasLoggingRole: boolean;
}

async function portsOf(
  { caller, surroundings, terminal }: Prepared,
  { prefix, folder, hasLoggingRole }: RunPlace,
): Promise<Ports> {
  const synthesizeHere: Ports['synthesize'] = async (part, config) => {
    const outDir = mkdtempSync(join(folder, `${part}-`));
    await synthesize({ ...surroundings, part, config, outDir, hasLoggingRole });
    return outDir;
  };
  const { laptop, place } = caller;
  if (laptop === undefined) {
    const onLine = (line: string) => terminal.say(`  ${line}`);
    return accountPorts({ caller, prefix, surroundings, synthesize: synthesizeHere, onLine });
  }
  const { aws, deployments } = laptop.run;
  const restoreApiUrl = deployments.find((each) => each.restoreApiUrl !== undefined)?.restoreApiUrl;
  if (restoreApiUrl === undefined)
    throw new CommandError(EXIT.failed, 'unavailable', 'the laptop system serves no restore API');
  const { accessKeyId, secretAccessKey } = aws;
  return laptopPorts({
    ...{ place, prefix, endpoint: aws.endpoint, credentials: { accessKeyId, secretAccessKey } },
    // Probes may have moved the clock since the command began.
    clockAheadMs: (await clockOf(new URL(aws.endpoint))) - Date.now(),
    apiOrigin: new URL(restoreApiUrl).origin,
    ...{ ca: readFileSync(laptop.caFile, 'utf8'), folder, synthesize: synthesizeHere },
  });
}

/** A controller that is aborted with a signal. */
function following(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort(), { once: true });
  return controller;
}

const resultsDir = ({ options, surroundings }: Prepared) =>
  resolve(surroundings.workingDir, options.resultsDir);

const recordsOf = (prepared: Prepared) => new RunRecords(resultsDir(prepared));

/** Whether something is there that AWS will not delete by itself. */
const isLeft = ({ left }: CleanUpReport) => left.some(({ until }) => until === undefined);

/** Such as `began 3 h ago, by arn:…`. */
function describeRun({ createdAt, owner = 'somebody unknown here' }: RunRecord, now: Date): string {
  const ageMin = Math.floor((now.getTime() - Date.parse(createdAt)) / 60_000);
  const age = ageMin < 120 ? `${ageMin} min` : `${Math.floor(ageMin / 60)} h`;
  return `${createdAt === '' ? 'of unknown age' : `began ${age} ago`}, by ${owner}`;
}

/** Whether a process runs on this machine. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function reportLines({ prefix, removed, left }: CleanUpReport): string[] {
  const counts = Object.entries(removed).map(([kind, count]) => `${count} × ${kind}`);
  return [
    `${prefix}: removed ${counts.join(', ') || 'nothing'}`,
    ...left.map(({ kind, name, reason }) => `  left: ${kind} ${name}: ${reason}`),
  ];
}

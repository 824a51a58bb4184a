import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { CommandError, interruption } from '../../../cli/command-error';
import { findDeployingPackages } from '../../../cli/deploying-packages';
import { EXIT, type ExitCode } from '../../../cli/exit-codes';
import { requireConsent } from '../../../cli/terminal';
import { sendHttps } from '../../../lambdas/shared/adapters/https-client';
import { type Prepared } from './caller';
import { cdkStacks } from './cdk-stacks';
import { cleanUp, type CleanUpReport, findRuns, type FoundRun, isLeft, listRun } from './clean-up/clean-up';
import { type RunRecord, runRecords } from './clean-up/runs';
import { newPrefix, PROVEN_TENANTS } from './configuration';
import { laptopPorts } from './laptop';
import { type Ports, timeOf } from './ports';
import { ProvenRun } from './proven-run';
import { ask, type Answered } from './question';
import { synthesizeWith } from './synthesize';
import { type EndedRun, reportOf, writeReport } from './report';

/**
 * Deploys, asks, removes everything and reports. What fails on the way is reported after everything is removed.
 * @throws {CommandError}
 */
export async function run(prepared: Prepared): Promise<ExitCode> {
  const { caller, options, terminal, surroundings } = prepared;
  const records = recordsOf(prepared);
  findDeployingPackages(surroundings.workingDir, surroundings.projectRoot);
  const { place, arn, endpoint } = caller;
  const { accountId, region } = place;
  const createdAt = new Date().toISOString();
  const record = { ...place, prefix: newPrefix(), createdAt, owner: arn, pid: process.pid, keyIds: [] };
  const elsewhere = endpoint === undefined ? '' : `, at ${endpoint} and not on AWS`;
  for (const line of [
    `Account ${accountId}, region ${region}, partition ${place.partition}${elsewhere}`,
    `  as ${arn}`,
    `Deploys Latchkey with ${PROVEN_TENANTS.length} tenants, and a sandbox of the platform. All names begin with ${record.prefix}.`,
    `Asks ${options.questions.length} questions. Nothing else in the account is changed.`,
    'Everything is removed at the end, also if the run fails or is interrupted.',
    'What AWS keeps: a KMS key for 7 more days, at no charge, and metrics for 15 months.',
  ])
    terminal.say(line);
  await requireConsent(terminal, options, `Deploy to ${accountId}, ${region}?`);
  records.save(record);
  const answers: Answered[] = [];
  const startedAt = new Date();
  let failure: Error | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-prove-'));
  try {
    const interrupt = new AbortController();
    surroundings.interrupted.addEventListener('abort', () => interrupt.abort(), { once: true });
    const ports = await portsOf(prepared, surroundings.interrupted);
    const onStep = (text: string) => terminal.say(text);
    const proven = new ProvenRun({ prefix: record.prefix, ports, folder, interrupt, onStep });
    await proven.begin();
    for (const question of options.questions) {
      if (surroundings.interrupted.aborted) break;
      const answered = await ask(question, proven, surroundings.interrupted);
      answers.push(answered);
      terminal.say(`${answered.verdict}: ${question.id}: ${answered.seen}`);
    }
  } catch (error) {
    failure = error as Error;
  }
  if (surroundings.interrupted.aborted) failure = interruption();
  terminal.say('removing everything');
  const report = await remove(record, prepared).catch((error: Error): Pick<CleanUpReport, 'left'> => {
    // What was seen until then is still reported.
    const message = `the removal of ${record.prefix} ended early: ${error.name}`;
    const advice = 'Remove the rest with the same options: latchkey prove --clean';
    failure = new CommandError(EXIT.failed, 'not_removed', message, { cause: error, advice });
    return { left: [{ kind: 'run', name: record.prefix, reason: 'its removal ended early' }] };
  });
  rmSync(folder, { recursive: true, force: true });
  const ended: EndedRun = { startedAt, endedAt: new Date(), caller, answers, left: report.left };
  terminal.result({ report: reportOf(ended) }, () => reportOf(ended));
  try {
    terminal.say(writeReport(resultsDir(prepared), ended));
  } catch (error) {
    const message = `the report cannot be written: ${(error as NodeJS.ErrnoException).code}`;
    failure ??= new CommandError(EXIT.failed, 'results_not_written', message, { cause: error });
  }
  if (failure !== undefined) throw failure;
  const isOtherwise = answers.some(({ verdict, error }) => verdict === 'differs' || error !== undefined);
  return isOtherwise || isLeft(report) ? EXIT.failed : EXIT.done;
}

/**
 * Removes what earlier runs left in the account: those recorded here that have ended, or those that are named.
 * @throws {CommandError}
 */
export async function clean(prepared: Prepared): Promise<ExitCode> {
  const { caller, terminal, surroundings, options: asked } = prepared;
  const ports = await portsOf(prepared, surroundings.interrupted);
  const options = { ...ports, records: recordsOf(prepared) };
  const found = await findRuns(options);
  const unknown = asked.runs.find((name) => !found.some(({ prefix }) => prefix === name));
  if (unknown !== undefined) {
    const advice = 'See what is left: latchkey prove --clean';
    const message = `--run: found ${unknown}, of which nothing is left`;
    throw new CommandError(EXIT.failed, 'not_found', message, { advice });
  }
  const now = await ports.time.now();
  const runs: RunRecord[] = [];
  const others: { prefix: string; reason: string }[] = [];
  for (const each of found) {
    const { prefix } = each;
    const reason = mustBeNamed(each);
    terminal.say(`${prefix}: ${describeRun(each, now)}`);
    if (asked.runs.length === 0 ? reason === undefined : asked.runs.includes(prefix)) {
      runs.push(each);
      for (const line of await listRun(each, options)) terminal.say(`  ${line}`);
    } else if (asked.runs.length === 0) {
      others.push({ prefix, reason: reason! });
      terminal.say(`  left alone: ${reason}. To remove it: latchkey prove --clean --run ${prefix}`);
    }
  }
  if (runs.length === 0) {
    terminal.result({ runs: [], others }, () => 'Nothing is left of an earlier run of this folder.');
    return EXIT.done;
  }
  const { accountId, region } = caller.place;
  if (terminal.interrupted.aborted) throw interruption();
  await requireConsent(terminal, asked, `Remove ${runs.length} from ${accountId}, ${region}?`);
  const reports: CleanUpReport[] = [];
  for (const record of runs) reports.push(await remove(record, prepared));
  terminal.result({ runs: reports, others }, () => reports.flatMap(reportLines).join('\n'));
  return reports.some(isLeft) ? EXIT.failed : EXIT.done;
}

/** A signal that has come stops no removal: the second one ends the process. */
async function remove(record: RunRecord, prepared: Prepared): Promise<CleanUpReport> {
  const ports = await portsOf(prepared, new AbortController().signal);
  return cleanUp(record, { ...ports, records: recordsOf(prepared) });
}

async function portsOf(
  { caller, surroundings, terminal }: Prepared,
  interrupted: AbortSignal,
): Promise<Ports> {
  const { laptop, place, settings } = caller;
  const { workingDir, projectRoot } = surroundings;
  const synthesize = synthesizeWith({ workingDir, projectRoot, interrupted });
  if (laptop === undefined)
    return {
      place,
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
  return laptopPorts(laptop, { place, synthesize });
}

const resultsDir = ({ options, surroundings }: Prepared) => resolve(surroundings.workingDir, options.results);

const recordsOf = (prepared: Prepared) => runRecords(resultsDir(prepared));

/** Such as `began 3 h ago, by arn:…`. */
function describeRun({ createdAt, owner = 'somebody unknown here' }: RunRecord, now: Date): string {
  const ageMin = Math.floor((now.getTime() - Date.parse(createdAt)) / 60_000);
  const age = ageMin < 120 ? `${ageMin} min` : `${Math.floor(ageMin / 60)} h`;
  return `${createdAt === '' ? 'of unknown age' : `began ${age} ago`}, by ${owner}`;
}

/** Why a run is removed only if it is named; undefined if it need not be. */
function mustBeNamed({ isRecorded, pid }: FoundRun): string | undefined {
  if (!isRecorded) return 'it has no record here, so it may be somebody else’s';
  return pid !== undefined && isAlive(pid) ? `its process ${pid} is still running` : undefined;
}

/** Whether a process runs on this machine. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
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

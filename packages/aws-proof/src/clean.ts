import { CommandError, interruption } from '../../../cli/command-error';
import { EXIT, type ExitCode } from '../../../cli/exit-codes';
import { requireConsent } from '../../../cli/terminal';
import { type CleanUpReport, hasLeftovers, listRun } from './clean-up/clean-up';
import { findRuns, type FoundRun } from './clean-up/find-runs';
import { type RunRecord } from './clean-up/runs';
import { portsOf, type ProveCommand, recordsOf, removeRun } from './prove-command';

/**
 * Removes what earlier runs left in the account: the recorded runs that have ended, or those that are named.
 * @throws {CommandError}
 */
export async function clean(command: ProveCommand): Promise<ExitCode> {
  const { caller, terminal, options } = command;
  const ports = await portsOf(command, command.surroundings.interrupted);
  const account = { ...ports, records: recordsOf(command) };
  const { chosen, others } = chooseRuns(await findRuns(account), options.runs);
  const now = await ports.time.now();
  for (const run of chosen) {
    terminal.say(`${run.prefix}: ${describeRun(run, now)}`);
    for (const line of await listRun(run, account)) terminal.say(`  ${line}`);
  }
  for (const { run, reason } of others) {
    terminal.say(`${run.prefix}: ${describeRun(run, now)}`);
    terminal.say(`  left alone: ${reason}. To remove it: latchkey prove --clean --run ${run.prefix}`);
  }
  const reports: CleanUpReport[] = [];
  const result = { runs: reports, others: others.map(({ run: { prefix }, reason }) => ({ prefix, reason })) };
  if (chosen.length === 0) {
    terminal.result(result, () => 'Nothing to remove');
    return EXIT.done;
  }
  if (terminal.interrupted.aborted) throw interruption();
  const { accountId, region } = caller.location;
  const runs = chosen.length === 1 ? '1 run' : `${chosen.length} runs`;
  await requireConsent(terminal, options, `Remove ${runs} from ${accountId}, ${region}?`);
  for (const record of chosen) reports.push(await removeRun(record, command));
  terminal.result(result, () => reports.flatMap(reportLines).join('\n'));
  return reports.some(hasLeftovers) ? EXIT.failed : EXIT.done;
}

/**
 * Chooses the runs to remove: those that are named or, if none is, those without a reason to leave them alone.
 * @throws {CommandError} `not_found`, if nothing is left of a named run
 */
function chooseRuns(runs: readonly FoundRun[], named: readonly string[]) {
  const missing = named.find((name) => !runs.some(({ prefix }) => prefix === name));
  if (missing !== undefined) {
    const advice = 'See what is left: latchkey prove --clean';
    throw new CommandError(EXIT.failed, 'not_found', `--run: nothing is left of ${missing}`, { advice });
  }
  if (named.length > 0) return { chosen: runs.filter(({ prefix }) => named.includes(prefix)), others: [] };
  return {
    chosen: runs.filter((run) => reasonToLeaveAlone(run) === undefined),
    others: runs.flatMap((run) => {
      const reason = reasonToLeaveAlone(run);
      return reason === undefined ? [] : [{ run, reason }];
    }),
  };
}

/** Why a run is removed only if it is named. */
function reasonToLeaveAlone({ isRecorded, pid }: FoundRun): string | undefined {
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

/** Such as `began 3 h ago, by arn:…`. */
function describeRun({ createdAt, owner = 'an unknown caller' }: RunRecord, now: Date): string {
  if (createdAt === '') return `of unknown age, by ${owner}`;
  const ageMin = Math.floor((now.getTime() - Date.parse(createdAt)) / 60_000);
  return `began ${ageMin < 120 ? `${ageMin} min` : `${Math.floor(ageMin / 60)} h`} ago, by ${owner}`;
}

function reportLines({ prefix, removed, left }: CleanUpReport): string[] {
  const counts = Object.entries(removed).map(([kind, count]) => `${count} × ${kind}`);
  return [
    `${prefix}: removed ${counts.join(', ') || 'nothing'}`,
    ...left.map(({ kind, name, reason }) => `  left: ${kind} ${name}: ${reason}`),
  ];
}

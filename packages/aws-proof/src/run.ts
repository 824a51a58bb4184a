import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CommandError, interruption } from '../../../cli/command-error';
import { EXIT, type ExitCode } from '../../../cli/exit-codes';
import { requireConsent } from '../../../cli/terminal';
import { hasLeftovers, type LeftBehind } from './clean-up/clean-up';
import { newPrefix, type RunRecord } from './clean-up/runs';
import { PROVEN_TENANTS } from './configuration';
import { findDeployingPackages } from './deploying-packages';
import { portsOf, type ProveCommand, recordsOf, removeRun, resultsDir } from './prove-command';
import { ProvenRun } from './proven-run';
import { ask, type Answered } from './question';
import { type EndedRun, reportOf, writeReport } from './report';

/**
 * Deploys, asks, removes everything and reports. Throws a failure only after everything is removed and reported.
 * @throws {CommandError}
 */
export async function run(command: ProveCommand): Promise<ExitCode> {
  const { caller, options, terminal, surroundings } = command;
  findDeployingPackages(surroundings.workingDir, surroundings.projectRoot);
  const { location, arn } = caller;
  const createdAt = new Date().toISOString();
  const record = { ...location, prefix: newPrefix(), createdAt, owner: arn, pid: process.pid, keyIds: [] };
  announce(record.prefix, command);
  await requireConsent(terminal, options, `Deploy to ${location.accountId}, ${location.region}?`);
  recordsOf(command).save(record);

  const startedAt = new Date();
  const answers: Answered[] = [];
  const onAnswer = (answered: Answered) => void answers.push(answered);
  const askingFailure = await failureOf(deployAndAsk(record.prefix, command, onAnswer));
  const runFailure = surroundings.interrupted.aborted ? interruption() : askingFailure;
  const { left, failure: removalFailure } = await removeAtEnd(record, command);
  const endedRun: EndedRun = { startedAt, endedAt: new Date(), caller, answers, left };
  const writingFailure = await failureOf(printAndWrite(endedRun, command));

  const failure = removalFailure ?? runFailure ?? writingFailure;
  if (failure !== undefined) throw failure;
  const hasFailed = answers.some(({ verdict, error }) => verdict === 'differs' || error !== undefined);
  return hasFailed || hasLeftovers(endedRun) ? EXIT.failed : EXIT.done;
}

/** Says what the run will do, before anybody agrees to it. */
function announce(prefix: string, { caller, options, terminal }: ProveCommand): void {
  const { partition, region, accountId } = caller.location;
  const elsewhere = caller.endpoint === undefined ? '' : `, at ${caller.endpoint} and not on AWS`;
  for (const line of [
    `Account ${accountId}, region ${region}, partition ${partition}${elsewhere}`,
    `  as ${caller.arn}`,
    `Deploys Latchkey with ${PROVEN_TENANTS.length} tenants, and a sandbox of the platform. All names begin with ${prefix}.`,
    `Asks ${options.questions.length} questions. Nothing else in the account is changed.`,
    'Everything is removed at the end, also if the run fails or is interrupted.',
    'What AWS keeps: a KMS key for 7 more days, at no charge, and metrics for 15 months.',
  ])
    terminal.say(line);
}

/** Deploys the run, and asks its questions until the command is interrupted. */
async function deployAndAsk(
  prefix: string,
  command: ProveCommand,
  onAnswer: (answered: Answered) => void,
): Promise<void> {
  const { options, terminal } = command;
  const { interrupted } = command.surroundings;
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-prove-'));
  try {
    // The commands of a run take a controller, because their terminal can interrupt them.
    const interrupt = new AbortController();
    interrupted.addEventListener('abort', () => interrupt.abort(), { once: true });
    const ports = await portsOf(command, interrupted);
    const onStep = (text: string) => terminal.say(text);
    const provenRun = new ProvenRun({ prefix, ports, folder, interrupt, onStep });
    await provenRun.begin();
    for (const question of options.questions) {
      if (interrupted.aborted) return;
      const answered = await ask(question, provenRun, interrupted);
      onAnswer(answered);
      terminal.say(`${answered.verdict}: ${question.id}: ${answered.seen}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes the run. Returns a failure, so that the answers are reported first. */
async function removeAtEnd(
  record: RunRecord,
  command: ProveCommand,
): Promise<{ left: readonly LeftBehind[]; failure?: CommandError }> {
  const { prefix } = record;
  command.terminal.say('removing everything');
  try {
    return { left: (await removeRun(record, command)).left };
  } catch (cause) {
    const message = `the removal of ${prefix} ended early: ${(cause as Error).name}`;
    const advice = 'Remove the rest with the same options: latchkey prove --clean';
    return {
      left: [{ kind: 'run', name: prefix, reason: 'its removal ended early' }],
      failure: new CommandError(EXIT.failed, 'not_removed', message, { cause, advice }),
    };
  }
}

async function printAndWrite(endedRun: EndedRun, command: ProveCommand): Promise<void> {
  const { terminal } = command;
  const report = reportOf(endedRun);
  terminal.result({ report }, () => report);
  try {
    terminal.say(writeReport(resultsDir(command), endedRun));
  } catch (cause) {
    const message = `the report cannot be written: ${(cause as NodeJS.ErrnoException).code}`;
    throw new CommandError(EXIT.failed, 'results_not_written', message, { cause });
  }
}

const failureOf = (step: Promise<void>): Promise<Error | undefined> =>
  step.then(
    () => undefined,
    (error: Error) => error,
  );

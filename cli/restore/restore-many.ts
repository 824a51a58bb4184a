import { resolve } from 'node:path';

import { type ActingUser } from '../../contract/restore-operation';
import { pickTenant, tenantKeyOf } from '../choose-tenant';
import { type CommandContext, type TenantFlags } from '../command';
import { type CommandError, usageError } from '../command-error';
import { commandText, tenantFlagsText } from '../command-text';
import { type ExitCode } from '../exit-codes';
import { type ChosenTenant } from '../system';
import { BulkRun } from './bulk-run';
import { type ContentList } from './content-list';
import { type RestoreItem } from './item';
import { Pace } from './pace';
import { isToSend, type PlanFlags, tallyOf } from './plan';
import { RunProgress } from './progress';
import { readContentList } from './read-content-list';
import { failureFor } from './restore-advice';
import { RestoreClient } from './restore-client';
import { type ResultLine } from './result-line';
import { Results } from './results';
import { locateResults, lockResults, resultsFailure } from './results-file';
import { exitCodeOf, type Summary, summaryDocument, summaryText } from './run-summary';

/** Parallel requests without `--parallel`. */
const USUAL_PARALLEL = 8;

interface RestoreManyFlags extends TenantFlags, PlanFlags {
  readonly from: string;
  readonly results?: string;
  readonly parallel?: number;
}

/**
 * Restores the contents of a list. The same command resumes a run that ended early, from its results.
 * @param usual who acts if the list does not say
 * @throws {CommandError} before anything was sent
 */
export async function restoreMany(
  context: CommandContext,
  flags: RestoreManyFlags,
  usual: ActingUser,
): Promise<ExitCode> {
  const { terminal, nowMs } = context;
  const { from, results: resultsFile = `${from}.results.jsonl` } = flags;
  if (resolve(resultsFile) === resolve(from)) {
    throw usageError('--results', 'the list itself', 'a different file');
  }
  const list = readContentList(from, usual);
  const file = locateResults(resultsFile);
  const chosen = await pickTenant(context, flags);
  const client = await RestoreClient.open(context, chosen);
  const tenant = tenantKeyOf(chosen);
  const release = lockResults(file);
  try {
    const results = await Results.open({
      file,
      run: { ...tenant, api: client.url },
      items: list.items,
      nowMs,
    });
    const run = { list, chosen, client, results };
    const summary: Summary = {
      stopped: await sendAll(context, run, flags),
      tenant,
      tally: tallyOf(list.items, (contentId) => results.of(contentId)),
      duplicates: list.duplicates,
      results: resultsFile,
      command: commandText('restore', flagsToRepeat(flags, usual), tenantFlagsText(chosen)),
    };
    terminal.result(summaryDocument(summary), (style) => summaryText(summary, style));
    return exitCodeOf(summary);
  } finally {
    release();
  }
}

interface Run {
  readonly list: ContentList;
  readonly chosen: ChosenTenant;
  readonly client: RestoreClient;
  readonly results: Results;
}

/** Sends all contents that are left. @returns why it stopped early */
async function sendAll(
  { terminal, nowMs, sleep }: CommandContext,
  { list: { items }, chosen, client, results }: Run,
  flags: RestoreManyFlags,
): Promise<CommandError | undefined> {
  const { interrupted } = terminal;
  const before = new Map(items.map(({ contentId }) => [contentId, results.of(contentId)]));
  const isLeft = ({ contentId }: RestoreItem) => isToSend(before.get(contentId), flags);
  const left = items.filter(isLeft);
  if (left.length === 0) terminal.say('Nothing to send: the results have an outcome for each content');
  const settled = (contentId: string): ResultLine | undefined =>
    isLeft({ contentId, actingUser: {} }) ? undefined : before.get(contentId);
  const progress = new RunProgress(terminal, nowMs, tallyOf(items, settled));
  const onInterrupt = () => progress.ending();
  interrupted.addEventListener('abort', onInterrupt, { once: true });
  const bulk = new BulkRun(
    {
      client,
      results,
      pace: new Pace({ nowMs, random: Math.random }),
      nowMs,
      sleep: (ms) =>
        sleep(ms).catch((error: unknown) => {
          if (!interrupted.aborted) throw error;
        }),
      random: Math.random,
      interrupted,
      onRecorded: (answer) => progress.recorded(answer),
      onWaiting: (wait) => progress.waiting(wait),
      stopFor: (failure) => failureFor(failure, chosen),
    },
    left,
  );
  let stopped: CommandError | undefined;
  try {
    stopped = await bulk.run(flags.parallel ?? USUAL_PARALLEL);
  } finally {
    interrupted.removeEventListener('abort', onInterrupt);
    await results.close().catch((error: unknown) => (stopped ??= resultsFailure(error)));
    const { restored } = tallyOf(items, (contentId) => results.of(contentId));
    progress.end(restored === items.length);
  }
  return stopped;
}

function flagsToRepeat(
  { from, results, parallel }: RestoreManyFlags,
  { authorRef, collaborationId }: ActingUser,
): Record<string, string | undefined> {
  return {
    '--from': from,
    '--results': results,
    '--author-ref': authorRef,
    '--collaboration-id': collaborationId,
    '--parallel': parallel?.toString(),
  };
}

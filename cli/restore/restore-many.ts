import { resolve } from 'node:path';

import { contentKey } from '../../contract/content-id';
import { type ActingUser } from '../../contract/restore-operation';
import { pickTenant, tenantKeyOf } from '../choose-tenant';
import { type CommandContext, type TenantFlags } from '../command';
import { type CommandError, usageError } from '../command-error';
import { commandText, tenantFlagsText } from '../command-text';
import { EXIT, type ExitCode } from '../exit-codes';
import { type ChosenTenant } from '../system';
import { requireConsent } from '../terminal';
import { type BulkPreview, bulkQuestion, previewDocument, previewText } from './bulk-preview';
import { BulkRun } from './bulk-run';
import { type ContentList } from './content-list';
import { Pace } from './pace';
import { type PlanFlags, planOf, tallyOf } from './plan';
import { RunProgress } from './progress';
import { readContentList } from './read-content-list';
import { failureFor } from './restore-advice';
import { RestoreClient } from './restore-client';
import { readResults, Results } from './results';
import { locateResults, lockResults, resultsFailure } from './results-file';
import { exitCodeOf, type Summary, summaryDocument, summaryText } from './run-summary';

/** Parallel requests without `--parallel`. */
const USUAL_PARALLEL = 8;

interface RestoreManyFlags extends TenantFlags, PlanFlags {
  readonly from: string;
  readonly results?: string;
  readonly parallel?: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
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
  const about = { file, run: { ...tenant, api: client.url }, items: list.items };
  const command = commandText('restore', flagsToRepeat(flags, usual), tenantFlagsText(chosen));
  const preview = (): BulkPreview => {
    const known = readResults(about);
    const { left, settled } = planOf(list.items, (id) => known.get(contentKey(id)), flags);
    return {
      ...{ tenant, left, settled, duplicates: list.duplicates, parallel: flags.parallel ?? USUAL_PARALLEL },
      ...{ api: client.url, results: resultsFile },
      command: [command, ...resendFlags(flags)].join(' '),
    };
  };
  if (flags.dryRun === true) {
    const shown = preview();
    terminal.result(previewDocument(shown), (style) => previewText(shown, style));
    return EXIT.done;
  }
  const release = lockResults(file);
  try {
    const planned = preview();
    if (planned.left.length > 0) await requireConsent(terminal, flags, bulkQuestion(planned));
    const results = await Results.open({ ...about, nowMs });
    const run = { list, chosen, client, results };
    const summary: Summary = {
      stopped: await sendAll(context, run, flags),
      tenant,
      tally: tallyOf(list.items, (contentId) => results.of(contentId)),
      duplicates: list.duplicates,
      results: resultsFile,
      command,
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
  const { left, settled } = planOf(items, (contentId) => results.of(contentId), flags);
  if (left.length === 0) terminal.say('Nothing to send: the results have an outcome for each content');
  const progress = new RunProgress(terminal, nowMs, settled);
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

function resendFlags({ retryUnknown, retryFailed }: PlanFlags): string[] {
  return [
    ...(retryUnknown === true ? ['--retry-unknown'] : []),
    ...(retryFailed === true ? ['--retry-failed'] : []),
  ];
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

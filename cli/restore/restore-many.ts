import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { type ActingUser } from '../../core/restore/restore-operation';
import { pickTenant, chosenTenantKey } from '../choose-tenant';
import { type CommandContext, type TenantFlags } from '../command';
import { usageError } from '../command-error';
import { commandText, tenantFlagsText } from '../command-text';
import { EXIT, type ExitCode } from '../exit-codes';
import { DEFAULT_PARALLEL, type FlagsOf } from '../options';
import { showFile } from '../safe-text';
import { requireConsent } from '../terminal';
import { questionFor, showPreview, showSummary } from './bulk-report';
import { BulkRun } from './bulk-run';
import { readContentList } from './content-list';
import { type PlanFlags, planOf, tallyOf } from './plan';
import { RunProgress } from './progress';
import { failureFor } from './restore-failure';
import { RestoreClient } from './restore-client';
import { readResults, Results } from './results';

/** Flags that need a list. */
export type ListFlags = PlanFlags & FlagsOf<'results' | 'parallel' | 'dryRun' | 'yes'>;

/**
 * Restores the contents of a list. The same command resumes a run that ended early, from its results.
 * @param actingUser who acts if the list does not say
 * @throws {CommandError} before anything was sent
 */
export async function restoreMany(
  context: CommandContext,
  flags: ListFlags & TenantFlags & { readonly from: string },
  actingUser: ActingUser,
): Promise<ExitCode> {
  const { terminal, nowMs, sleep } = context;
  const { from, results: file = `${from}.results.jsonl`, parallel = DEFAULT_PARALLEL } = flags;
  if (resolve(file) === resolve(from)) {
    throw usageError('--results', 'the list itself', 'a different file');
  }
  const { items, duplicates } = readContentList(from, actingUser);
  checkResultsFile(file);
  const chosen = await pickTenant(context, flags);
  const client = await RestoreClient.open(context, chosen);
  const tenant = chosenTenantKey(chosen);
  const run = { ...tenant, api: client.url };
  const command = commandText(
    'restore',
    {
      '--from': from,
      '--results': flags.results,
      '--author-ref': actingUser.authorRef,
      '--collaboration-id': actingUser.collaborationId,
      '--parallel': flags.parallel?.toString(),
    },
    tenantFlagsText(chosen),
  );
  const report = { tenant, duplicates, results: file };
  const plan = planOf(items, readResults(file, run), flags);
  if (flags.dryRun === true) {
    const retry = [flags.retryUnknown && '--retry-unknown', flags.retryFailed && '--retry-failed'];
    const sending = [command, ...retry].filter(Boolean).join(' ');
    showPreview(terminal, { ...report, ...plan, parallel, api: client.url, command: sending });
    return EXIT.done;
  }
  if (plan.left.length > 0) await requireConsent(terminal, flags, questionFor({ tenant, ...plan }));
  const results = new Results(file, run, nowMs);
  let stopped;
  try {
    // Another run may have changed the results since.
    const { left, settled } = planOf(items, results.find, flags);
    if (left.length === 0) terminal.say('Nothing to send: the results have an outcome for each content');
    const progress = new RunProgress(terminal, nowMs, settled);
    const bulk = new BulkRun({
      client,
      results,
      progress,
      sleep,
      interrupted: terminal.interrupted,
      stopFor: (failure) => failureFor(failure, chosen),
    });
    stopped = await bulk.run(left, parallel).finally(() => progress.end());
  } finally {
    results.close();
  }
  return showSummary(terminal, { ...report, tally: tallyOf(items, results.find), stopped, command });
}

/** @throws {CommandError} usage, if there can be no results, or two runs could use them under two names */
function checkResultsFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!(stats?.isFile() ?? existsSync(dirname(file)))) {
    const found = `that ${showFile(file)} is not a file`;
    throw usageError('--results', found, 'a file, or a new one in an existing folder');
  }
  if (stats !== undefined && stats.nlink > 1) {
    const advice =
      'Under its other name, a second run could send contents twice. Copy the file, and use the copy.';
    throw usageError('--results', `another hard link to ${showFile(file)}`, 'a file with one name', advice);
  }
}

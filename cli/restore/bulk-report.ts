import { deploymentText, type TenantKey } from '../../core/tokens/token-key';
import { type CommandError, errorDocument } from '../command-error';
import { EXIT, type ExitCode } from '../exit-codes';
import { table } from '../table';
import { type Style } from '../terminal';
import { wrapText } from '../wrap-text';
import { failureOf, isFailureCode } from './outcome-kinds';
import { type Plan, type Tally } from './plan';

const MAX_IDS_SHOWN = 5;

/** What every report on a bulk restore says. */
interface Report {
  readonly tenant: TenantKey;
  /** Number of lines that repeat a content. */
  readonly duplicates: number;
  /** Path of the results, as given. */
  readonly results: string;
  /** The command that starts or resumes the run. */
  readonly command: string;
}

/** What a bulk restore would send. */
export interface Preview extends Report, Plan {
  readonly parallel: number;
  /** Address of the restore API. */
  readonly api: string;
}

/** The outcome of a bulk restore. */
export interface Summary extends Report {
  readonly tally: Tally;
  /** Why the run stopped early. */
  readonly stopped: CommandError | undefined;
}

/** For programs. */
export function previewDocument(preview: Preview): object {
  const { tenant, left, settled, duplicates, parallel, api, results, command } = preview;
  const { restored, failed, unknown } = settled;
  return {
    ...tenant,
    dryRun: true,
    toSend: left.length,
    first: firstIds(preview),
    parallel,
    restored,
    failed,
    unknown,
    duplicates,
    api,
    results,
    next: left.length > 0 ? [command] : [],
  };
}

/** For people. */
export function previewText(preview: Preview, style: Style): string {
  const { tenant, left, settled, duplicates, parallel, api, command } = preview;
  const { restored, failed, unknown } = settled;
  const more = left.length - MAX_IDS_SHOWN;
  const rows = [
    ['first', `${firstIds(preview).join(', ')}${more > 0 ? ` and ${more} more` : ''}`],
    ['pace', `at most ${parallel} requests at a time; a 429 pauses all of them`],
    ['to', api],
    ['settled', `${restored} restored, ${failed} failed, ${unknown} unknown`],
    ['duplicate lines', String(duplicates)],
  ];
  const isAny = left.length > 0;
  return [
    `${style.bold('Would send')} ${left.length} of ${totalOf(settled)} contents, ${tenantText(tenant)}`,
    ...table(isAny ? rows : rows.slice(2), '  '),
    ...(isAny ? ['Nothing was sent. To restore them:', `  ${command}`] : ['Nothing was sent']),
  ].join('\n');
}

/** The question before a bulk restore. */
export function questionFor({ tenant, left }: Preview): string {
  return `Restore ${left.length} ${left.length === 1 ? 'content' : 'contents'} of ${tenantText(tenant)}?`;
}

/** Scripts rely on it. Unknown outcomes take precedence, because a person must check them. */
export function exitCodeOf({ tally, stopped }: Pick<Summary, 'tally' | 'stopped'>): ExitCode {
  if (tally.unknown > 0) return EXIT.outcomeUnknown;
  if (stopped !== undefined) return stopped.exitCode;
  if (tally.left > 0) return EXIT.failed;
  const failures = Object.keys(tally.outcomes).filter(isFailureCode);
  const [exitCode = EXIT.done, ...others] = new Set(failures.map((code) => failureOf(code).exitCode));
  return others.length === 0 ? exitCode : EXIT.failed;
}

/** For programs. */
export function summaryDocument(summary: Summary): object {
  const { tenant, tally, duplicates, results, stopped } = summary;
  return {
    ...tenant,
    ...tally,
    duplicates,
    results,
    ...(stopped !== undefined && { stopped: errorDocument(stopped) }),
    next: nextSteps(summary).flatMap(({ command }) => command ?? []),
  };
}

/** For people. */
export function summaryText(summary: Summary, style: Style): string {
  const { tenant, tally, duplicates, results, stopped } = summary;
  const { restored, left, outcomes, withItemsInError, withOtherStatus } = tally;
  const total = totalOf(tally);
  const notes: [string, number][] = [
    ['not sent yet', left],
    ['restored with items in error: see itemsInError in the results', withItemsInError],
    ['restored, but not published: see recordStatus in the results', withOtherStatus],
    ['duplicate lines in the list', duplicates],
  ];
  return [
    `${restored === total ? style.good('✓') : style.bad('✗')} ${restored} of ${total} restored, ${tenantText(tenant)}`,
    ...table(
      Object.entries(outcomes).map(([text, count]) => [{ text, paint: paintOf(text, style) }, String(count)]),
      '  ',
    ),
    ...notes.filter(([, count]) => count > 0).map(([text, count]) => `  ${count} ${text}`),
    `Results: ${results}`,
    ...(stopped === undefined ? [] : [`Stopped: ${stopped.message}`, stopped.advice ?? []].flat()),
    ...nextSteps(summary).flatMap(({ text, command }) => [
      ...wrapText(text, 80),
      ...(command === undefined ? [] : [`  ${command}`]),
    ]),
  ].join('\n');
}

/** What to do next, with the command if there is one. */
function nextSteps({ tally, results, command }: Summary): { text: string; command?: string }[] {
  const { left, unknown, outcomes } = tally;
  const kinds = Object.keys(outcomes)
    .filter(isFailureCode)
    .map((code) => failureOf(code).kind);
  const steps = [
    {
      isNeeded: left > 0 || kinds.some((kind) => !['content', 'needless', 'unknown'].includes(kind)),
      text: 'To continue with contents that were neither restored nor modified:',
      command,
    },
    {
      isNeeded: unknown > 0,
      text:
        `${unknown} with outcome_unknown may or may not be restored: check whether they are published. ` +
        'This restores those still archived; the platform refuses the others:',
      command: `${command} --retry-unknown`,
    },
    {
      isNeeded: kinds.includes('content'),
      text: `To resend refused contents once fixed (reasons are in ${results}):`,
      command: `${command} --retry-failed`,
    },
    {
      isNeeded: kinds.includes('needless'),
      text:
        'No action needed for not_archived: most likely an earlier request restored these, and they are not resent. ' +
        'To restore contents that were archived again since, use a new list.',
    },
  ];
  return steps.filter(({ isNeeded }) => isNeeded);
}

function paintOf(outcome: string, style: Style): (text: string) => string {
  if (outcome === 'restored') return style.good;
  return ['outcome_unknown', 'not_archived'].includes(outcome) ? style.warning : style.bad;
}

function totalOf({ restored, failed, unknown, left }: Tally): number {
  return restored + failed + unknown + left;
}

function tenantText(tenant: TenantKey): string {
  return `tenant ${tenant.tenantId}, ${deploymentText(tenant)}`;
}

function firstIds({ left }: Preview): string[] {
  return left.slice(0, MAX_IDS_SHOWN).map(({ contentId }) => contentId);
}

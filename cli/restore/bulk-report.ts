import { deploymentText, type TenantKey } from '../../core/tokens/token-key';
import { type CommandError, errorDocument } from '../command-error';
import { EXIT, type ExitCode } from '../exit-codes';
import { table } from '../table';
import { type Style, type Terminal } from '../terminal';
import { wrapText } from '../wrap-text';
import { FAILURES, isFailureCode, isSettled, kindOf } from './outcome-kinds';
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
interface Preview extends Report, Plan {
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

export function showPreview(terminal: Terminal, preview: Preview): void {
  const { tenant, left, settled, duplicates, parallel, api, results, command } = preview;
  const { restored, failed, unknown } = settled;
  const toSend = left.length;
  const first = left.slice(0, MAX_IDS_SHOWN).map(({ contentId }) => contentId);
  const more = toSend - first.length;
  const document = {
    ...tenant,
    dryRun: true,
    toSend,
    first,
    parallel,
    restored,
    failed,
    unknown,
    duplicates,
    api,
    results,
    next: toSend > 0 ? [command] : [],
  };
  const rows = [
    ['first', `${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`],
    ['pace', `at most ${parallel} requests at a time; a 429 pauses all of them`],
    ['to', api],
    ['settled', `${restored} restored, ${failed} failed, ${unknown} unknown`],
    ['duplicate lines', String(duplicates)],
  ];
  terminal.result(document, (style) =>
    [
      `${style.bold('Would send')} ${toSend} of ${totalOf(settled)} contents, ${tenantText(tenant)}`,
      ...table(toSend > 0 ? rows : rows.slice(2), '  '),
      ...(toSend > 0 ? ['Nothing was sent. To restore them:', `  ${command}`] : ['Nothing was sent']),
    ].join('\n'),
  );
}

/** The question before a bulk restore. */
export function questionFor({ tenant, left }: Pick<Preview, 'tenant' | 'left'>): string {
  return `Restore ${left.length} ${left.length === 1 ? 'content' : 'contents'} of ${tenantText(tenant)}?`;
}

/**
 * Shows how a bulk restore ended.
 * @returns the exit code, which scripts rely on: unknown outcomes take precedence, because a person must check them
 */
export function showSummary(terminal: Terminal, summary: Summary): ExitCode {
  const { tenant, tally, duplicates, results, stopped } = summary;
  const { restored, left, outcomes, withItemsInError, withOtherStatus } = tally;
  const total = totalOf(tally);
  const notes: [string, number][] = [
    ['not sent yet', left],
    ['restored with items in error: see itemsInError in the results', withItemsInError],
    ['restored, but not published: see recordStatus in the results', withOtherStatus],
    ['duplicate lines in the list', duplicates],
  ];
  const steps = nextSteps(summary);
  const document = {
    ...tenant,
    ...tally,
    duplicates,
    results,
    ...(stopped !== undefined && { stopped: errorDocument(stopped) }),
    next: steps.flatMap(({ command }) => command ?? []),
  };
  terminal.result(document, (style) =>
    [
      `${restored === total ? style.good('✓') : style.bad('✗')} ${restored} of ${total} restored, ${tenantText(tenant)}`,
      ...table(
        Object.entries(outcomes).map(([text, count]) => [
          { text, paint: paintOf(text, style) },
          String(count),
        ]),
        '  ',
      ),
      ...notes.filter(([, count]) => count > 0).map(([text, count]) => `  ${count} ${text}`),
      `Results: ${results}`,
      ...(stopped === undefined ? [] : [`Stopped: ${stopped.message}`, stopped.advice ?? []].flat()),
      ...steps.flatMap(({ text, command }) => [
        ...wrapText(text, 80),
        ...(command === undefined ? [] : [`  ${command}`]),
      ]),
    ].join('\n'),
  );
  return exitCodeOf(summary);
}

function exitCodeOf({ tally, stopped }: Summary): ExitCode {
  if (tally.unknown > 0) return EXIT.outcomeUnknown;
  if (stopped !== undefined) return stopped.exitCode;
  if (tally.left > 0) return EXIT.failed;
  const exits = new Set(failuresOf(tally).map((code) => FAILURES[code].exit));
  const [exit = 'done', ...others] = exits;
  return EXIT[others.length === 0 ? exit : 'failed'];
}

/** What to do next, with the command if there is one. */
function nextSteps({ tally, results, command }: Summary): { text: string; command?: string }[] {
  const { left, unknown } = tally;
  const failures = failuresOf(tally);
  const kinds = failures.map(kindOf);
  const steps = [
    {
      isNeeded: left > 0 || !failures.every(isSettled),
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

function failuresOf({ outcomes }: Tally) {
  return Object.keys(outcomes).filter(isFailureCode);
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

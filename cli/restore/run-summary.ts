import { type TenantKey } from '../../contract/token-key';
import { type CommandError, errorDocument } from '../command-error';
import { EXIT, type ExitCode } from '../exit-codes';
import { table } from '../table';
import { type Style } from '../terminal';
import { wrapText } from '../wrap-text';
import { failureOf, isFailureCode } from './outcome-kinds';
import { type Tally } from './plan';

/** The outcome of a bulk restore. */
export interface Summary {
  readonly tenant: TenantKey;
  readonly tally: Tally;
  /** Number of lines that repeat a content. */
  readonly duplicates: number;
  /** Path of the results, as given. */
  readonly results: string;
  /** Why the run stopped early. */
  readonly stopped: CommandError | undefined;
  /** The command that resumes the run. */
  readonly command: string;
}

/** Scripts rely on it. Unknown outcomes take precedence, because a person must check them. */
export function exitCodeOf({ tally, stopped }: Pick<Summary, 'tally' | 'stopped'>): ExitCode {
  if (tally.unknown > 0) return EXIT.outcomeUnknown;
  if (stopped !== undefined) return stopped.exitCode;
  if (tally.left > 0) return EXIT.failed;
  const failures = Object.keys(tally.outcomes).filter(isFailureCode);
  const exitCodes = new Set(failures.map((code) => failureOf(code).exitCode));
  if (exitCodes.size === 0) return EXIT.done;
  return exitCodes.size === 1 ? [...exitCodes][0]! : EXIT.failed;
}

/** For programs. */
export function summaryDocument(summary: Summary): object {
  const { tenant, tally, duplicates, results, stopped } = summary;
  const { restored, failed, unknown, left, outcomes, withItemsInError, withOtherStatus } = tally;
  const next = nextSteps(summary).flatMap(({ command }) => command ?? []);
  return {
    ...tenant,
    restored,
    failed,
    unknown,
    left,
    outcomes,
    withItemsInError,
    withOtherStatus,
    duplicates,
    results,
    ...(stopped !== undefined && { stopped: errorDocument(stopped) }),
    next,
  };
}

/** For people. */
export function summaryText(summary: Summary, style: Style): string {
  const { tenant, tally, duplicates, results, stopped } = summary;
  const { restored, failed, unknown, left, outcomes, withItemsInError, withOtherStatus } = tally;
  const total = restored + failed + unknown + left;
  const paint = (outcome: string) =>
    outcome === 'restored'
      ? style.good
      : ['outcome_unknown', 'not_archived'].includes(outcome)
        ? style.warning
        : style.bad;
  const rows = [
    ...Object.entries(outcomes).map(([outcome, count]) => [
      { text: outcome, paint: paint(outcome) },
      String(count),
    ]),
    ...(left > 0 ? [['not sent yet', String(left)]] : []),
  ];
  const isAlone = tally.restored === total;
  return [
    `${isAlone ? style.good('✓') : style.bad('✗')} ${restored} of ${total} restored, tenant ${tenant.tenantId}, ${tenant.environment} ${tenant.platformRegion}`,
    ...table(rows, '  '),
    ...(withItemsInError > 0
      ? [`  ${withItemsInError} restored with items in error: see itemsInError in the results`]
      : []),
    ...(withOtherStatus > 0
      ? [`  ${withOtherStatus} restored, but not published: see recordStatus in the results`]
      : []),
    ...(duplicates > 0
      ? [`  ${duplicates} duplicate ${duplicates === 1 ? 'line' : 'lines'} in the list`]
      : []),
    `Results: ${results}`,
    ...(stopped === undefined
      ? []
      : [`Stopped: ${stopped.message}`, ...(stopped.advice === undefined ? [] : [stopped.advice])]),
    ...nextSteps(summary).flatMap(({ says, command }) => [
      ...wrapText(says, 80),
      ...(command === undefined ? [] : [`  ${command}`]),
    ]),
  ].join('\n');
}

interface Step {
  says: string;
  command?: string;
}

function nextSteps({ tally: { left, unknown, outcomes }, results, command }: Summary): Step[] {
  const kinds = Object.keys(outcomes).map((code) => isFailureCode(code) && failureOf(code).kind);
  const isMore = left > 0 || kinds.some((kind) => kind && !['content', 'needless', 'unknown'].includes(kind));
  const steps: Step[] = [];
  if (isMore)
    steps.push({ says: 'To continue with contents that were neither restored nor modified:', command });
  if (unknown > 0) {
    steps.push({
      says:
        `${unknown} with outcome_unknown may or may not be restored: check whether they are published. ` +
        'This restores those still archived; the platform refuses the others:',
      command: `${command} --retry-unknown`,
    });
  }
  if (kinds.includes('content')) {
    steps.push({
      says: `To resend refused contents once fixed (reasons are in ${results}):`,
      command: `${command} --retry-failed`,
    });
  }
  if (kinds.includes('needless')) {
    steps.push({
      says:
        'No action needed for not_archived: most likely an earlier request restored these, and they are not resent. ' +
        'To restore contents that were archived again since, use a new list.',
    });
  }
  return steps;
}

import { type RestoreItem } from './item';
import { failureOf } from './outcome-kinds';
import { type ResultLine } from './result-line';

export interface PlanFlags {
  /** Resend contents that may have been restored. */
  readonly retryUnknown?: boolean;
  /** Resend contents that were refused. */
  readonly retryFailed?: boolean;
}

/** Whether to send a content, given its earlier result. Settled contents are resent only if a flag asks for it. */
function isToSend(known: ResultLine | undefined, flags: PlanFlags): boolean {
  if (known === undefined) return true;
  if (known.outcome === 'restored') return false;
  switch (failureOf(known.outcome).kind) {
    case 'unknown':
      return flags.retryUnknown === true;
    case 'content':
      return flags.retryFailed === true;
    case 'needless':
      return false;
    default:
      return true;
  }
}

/** The contents of a list, counted by outcome. */
export interface Tally {
  readonly restored: number;
  /** Not restored and not modified. */
  readonly failed: number;
  readonly unknown: number;
  /** Not sent yet. */
  readonly left: number;
  /** Restored contents with items that the platform failed to process. */
  readonly withItemsInError: number;
  /** Restored contents with another status than `published`. */
  readonly withOtherStatus: number;
  /** The number of each outcome, the most frequent first. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** What a run sends, and the tally without it. */
export function planOf(
  items: readonly RestoreItem[],
  known: (contentId: string) => ResultLine | undefined,
  flags: PlanFlags,
): { left: readonly RestoreItem[]; settled: Tally } {
  const [left, rest] = [[] as RestoreItem[], new Map<string, ResultLine | undefined>()];
  for (const item of items) {
    const result = known(item.contentId);
    if (isToSend(result, flags)) left.push(item);
    else rest.set(item.contentId, result);
  }
  return { left, settled: tallyOf(items, (contentId) => rest.get(contentId)) };
}

/** Counts the outcomes of a list. */
export function tallyOf(
  items: readonly RestoreItem[],
  known: (contentId: string) => ResultLine | undefined,
): Tally {
  const counts = new Map<string, number>();
  let left = 0;
  let withItemsInError = 0;
  let withOtherStatus = 0;
  for (const { contentId } of items) {
    const { outcome, itemsInError, recordStatus } = known(contentId) ?? {};
    if (itemsInError !== undefined) withItemsInError += 1;
    if (recordStatus !== undefined) withOtherStatus += 1;
    if (outcome === undefined) left += 1;
    else counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const { restored = 0, outcome_unknown: unknown = 0 } = Object.fromEntries(counts);
  return {
    restored,
    failed: items.length - restored - unknown - left,
    unknown,
    left,
    withItemsInError,
    withOtherStatus,
    outcomes: Object.fromEntries([...counts].sort(([, a], [, b]) => b - a)),
  };
}

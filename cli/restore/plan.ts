import { type FlagsOf } from '../options';
import { type RestoreItem } from './item';
import { isSettled, kindOf } from './outcome-kinds';
import { type FindResult } from './results';

export type PlanFlags = FlagsOf<'retryUnknown' | 'retryFailed'>;

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
export interface Plan {
  readonly left: readonly RestoreItem[];
  readonly settled: Tally;
}

/** Plans a run: settled contents are resent only if a flag asks for it. */
export function planOf(
  items: readonly RestoreItem[],
  find: FindResult,
  { retryUnknown = false, retryFailed = false }: PlanFlags,
): Plan {
  const findSettled: FindResult = (contentId) => {
    const result = find(contentId);
    if (result === undefined || !isSettled(result.outcome)) return undefined;
    const kind = kindOf(result.outcome);
    const isResent = (kind === 'unknown' && retryUnknown) || (kind === 'content' && retryFailed);
    return isResent ? undefined : result;
  };
  return {
    left: items.filter(({ contentId }) => findSettled(contentId) === undefined),
    settled: tallyOf(items, findSettled),
  };
}

/** Counts the outcomes of a list. */
export function tallyOf(items: readonly RestoreItem[], find: FindResult): Tally {
  const results = items.flatMap(({ contentId }) => find(contentId) ?? []);
  const counts = new Map<string, number>();
  for (const { outcome } of results) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const { restored = 0, outcome_unknown: unknown = 0 } = Object.fromEntries(counts);
  return {
    restored,
    failed: results.length - restored - unknown,
    unknown,
    left: items.length - results.length,
    withItemsInError: results.filter(({ itemsInError }) => itemsInError !== undefined).length,
    withOtherStatus: results.filter(({ recordStatus }) => recordStatus !== undefined).length,
    outcomes: Object.fromEntries([...counts].sort(([, a], [, b]) => b - a)),
  };
}

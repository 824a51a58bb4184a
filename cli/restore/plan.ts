import { type RestoreItem } from './item';
import { failureOf } from './outcome-kinds';
import { type Result } from './result-line';
import { type FlagsOf } from '../options';

export type PlanFlags = FlagsOf<'retryUnknown' | 'retryFailed'>;

/** Finds the last result of a content; undefined if it was never sent. */
export type FindResult = (contentId: string) => Result | undefined;

/** Whether to send a content, given its earlier result. Settled contents are resent only if a flag asks for it. */
function isToSend(result: Result | undefined, flags: PlanFlags): boolean {
  if (result === undefined) return true;
  if (result.outcome === 'restored') return false;
  switch (failureOf(result.outcome).kind) {
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
export interface Plan {
  readonly left: readonly RestoreItem[];
  readonly settled: Tally;
}

export function planOf(items: readonly RestoreItem[], find: FindResult, flags: PlanFlags): Plan {
  const left = items.filter(({ contentId }) => isToSend(find(contentId), flags));
  const sent = new Set(left.map(({ contentId }) => contentId));
  return {
    left,
    settled: tallyOf(items, (contentId) => (sent.has(contentId) ? undefined : find(contentId))),
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

import { type RestoreItem } from './item';
import { failureOf } from './outcome-kinds';
import { type ResultLine } from './result-line';

export interface PlanFlags {
  /** Send again what may have been restored. */
  readonly retryUnknown?: boolean;
  /** Send again what was refused for itself. */
  readonly retryFailed?: boolean;
}

/** Whether a content is to be sent, by what is known of it: what is settled is not sent again unless that is asked for. */
export function isToSend(known: ResultLine | undefined, flags: PlanFlags): boolean {
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

/** The contents of a list by what became of them. */
export interface Tally {
  readonly restored: number;
  /** Not restored, and it is known that they were not modified. */
  readonly failed: number;
  readonly unknown: number;
  /** Nothing was sent for them. */
  readonly left: number;
  /** Of the restored: how many have items whose processing failed. */
  readonly withItemsInError: number;
  /** How many there are of each outcome, the most frequent first. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Counts what became of the contents of a list. */
export function tallyOf(
  items: readonly RestoreItem[],
  known: (contentId: string) => ResultLine | undefined,
): Tally {
  const counts = new Map<string, number>();
  let left = 0;
  let withItemsInError = 0;
  for (const { contentId } of items) {
    const { outcome, itemsInError } = known(contentId) ?? {};
    if (itemsInError !== undefined) withItemsInError += 1;
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
    outcomes: Object.fromEntries([...counts].sort(([, a], [, b]) => b - a)),
  };
}

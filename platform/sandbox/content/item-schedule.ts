/** Processing state of an item. The specification shows `ok` and `error`; the others are assumed. */
export const ITEM_STATUSES = ['pending', 'processing', 'ok', 'error'] as const;
type ItemStatus = (typeof ITEM_STATUSES)[number];

/** When the processing of an item starts and ends, by the sandbox's clock, and why it fails if it does. */
export interface ItemSchedule {
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly failureReason?: string;
}

/** The processing state of an item at a time. Nothing happens when it changes: whoever looks works it out. */
export function itemStatus({ startsAtMs, endsAtMs, failureReason }: ItemSchedule, nowMs: number): ItemStatus {
  if (nowMs < startsAtMs) return 'pending';
  if (nowMs < endsAtMs) return 'processing';
  return failureReason === undefined ? 'ok' : 'error';
}

/** The schedule of an item that is in one state whatever the time. There is a `failureReason` for `error`, and only then. */
export function alwaysIn(status: ItemStatus, failureReason?: string): ItemSchedule {
  return {
    startsAtMs: status === 'pending' ? Infinity : -Infinity,
    endsAtMs: status === 'pending' || status === 'processing' ? Infinity : -Infinity,
    ...(failureReason !== undefined && { failureReason }),
  };
}

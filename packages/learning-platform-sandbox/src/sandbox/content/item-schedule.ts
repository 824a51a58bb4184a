/** Processing state of an item. The specification shows `ok` and `error`; the others are assumed. */
export const ITEM_STATUSES = ['pending', 'processing', 'ok', 'error'] as const;
type ItemStatus = (typeof ITEM_STATUSES)[number];

/** When the processing of an item starts and ends (sandbox clock), and why it fails, if it does. */
export interface ItemSchedule {
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly failureReason?: string;
}

/** The processing state of an item, computed from its schedule. No timer runs. */
export function itemStatus({ startsAtMs, endsAtMs, failureReason }: ItemSchedule, nowMs: number): ItemStatus {
  if (nowMs < startsAtMs) return 'pending';
  if (nowMs < endsAtMs) return 'processing';
  return failureReason === undefined ? 'ok' : 'error';
}

/** Later than any time of the clock, and finite because JSON has no infinity. */
const NEVER_MS = Number.MAX_SAFE_INTEGER;

/** The schedule of an item whose status never changes. `error` requires a `failureReason`, other statuses must not have one. */
export function alwaysIn(status: ItemStatus, failureReason?: string): ItemSchedule {
  return {
    startsAtMs: status === 'pending' ? NEVER_MS : -NEVER_MS,
    endsAtMs: status === 'pending' || status === 'processing' ? NEVER_MS : -NEVER_MS,
    ...(failureReason !== undefined && { failureReason }),
  };
}

import { type Clock } from '../shared/ports';

/** How long a renewal may take in all: three tries with their waits, and the write. */
const RENEWAL_MS = 10_000;

/** Kept of that for the write, in ms: a token that was granted and not stored is a grant for nothing. */
export const WRITE_RESERVE_MS = 1_500;

/** When a renewal that begins now must have ended, in ms by the monotonic clock; at `endsAtMs` at the latest. */
export function renewalDeadlineMs(clock: Clock, endsAtMs: number): number {
  return Math.min(clock.monotonicMs() + RENEWAL_MS, endsAtMs);
}

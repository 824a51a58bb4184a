export const MINUTE_MS = 60_000;

/** Counts events by the minute in which they happen, in ms since the start. */
export class PerMinute {
  readonly counts: number[];

  constructor(minutes: number) {
    this.counts = Array.from({ length: minutes }, () => 0);
  }

  add(atMs: number, count = 1): void {
    const minute = Math.floor(atMs / MINUTE_MS);
    if (minute < this.counts.length) this.counts[minute]! += count;
  }

  most(): number {
    return this.counts.reduce((most, count) => Math.max(most, count), 0);
  }
}

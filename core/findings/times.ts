/** Milliseconds since the epoch of an ISO 8601 time; undefined if missing or invalid. */
export function timeMs(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A duration in its largest whole unit, rounded down, such as `3 days`. */
export function spanText(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, size]) => ms >= size) ?? UNITS.at(-1)!;
  const count = Math.floor(ms / unitMs);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// Kept, because making one takes 30 times as long as formatting a date.
const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * `13:04:05`, UTC.
 * @param {number} ms
 */
export function timeOfDay(ms) {
  return new Date(ms).toISOString().slice(11, 19);
}

/**
 * `26 Jul 2026`, UTC.
 * @param {number} ms
 */
export function dateOf(ms) {
  return DATE.format(ms);
}

/**
 * The largest whole unit, for example `3 days`.
 * @param {number} ms
 */
export function span(ms) {
  const units = /** @type {const} */ ([
    ['day', DAY_MS],
    ['hour', HOUR_MS],
    ['minute', MINUTE_MS],
    ['second', SECOND_MS],
  ]);
  const [unit, unitMs] = units.find(([, size]) => ms >= size) ?? ['second', SECOND_MS];
  const count = Math.floor(ms / unitMs);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// Kept, because making one takes 30 times as long as formatting a date.
const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const SHORT_DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The run's clock, which keeps ticking between events. */
export class RunTime {
  #atMs = 0;
  #aheadOfPageMs = 0;

  /** @param {number} nowMs the time in the latest event */
  set(nowMs) {
    this.#aheadOfPageMs = nowMs - performance.now();
    this.#atMs = nowMs;
  }

  /** Milliseconds since the epoch; 0 before the first event. */
  nowMs() {
    return this.#atMs === 0 ? 0 : this.#aheadOfPageMs + performance.now();
  }
}

/**
 * `13:04:05`, UTC.
 * @param {number} ms
 */
export function timeOfDay(ms) {
  return new Date(ms).toISOString().slice(11, 19);
}

/**
 * `26 July 2026`, UTC.
 * @param {number} ms
 */
export function dateOf(ms) {
  return DATE.format(ms);
}

/**
 * `26 Jul`, UTC.
 * @param {number} ms
 */
export function shortDateOf(ms) {
  return SHORT_DATE.format(ms);
}

/**
 * `52:11`, or `1:02:11` from an hour on.
 * @param {number} ms
 */
export function countdown(ms) {
  const sec = Math.max(0, Math.floor(ms / SECOND_MS));
  const parts = [Math.floor(sec / 60) % 60, sec % 60].map((part) => String(part).padStart(2, '0'));
  return sec < 3600 ? parts.join(':') : [Math.floor(sec / 3600), ...parts].join(':');
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

/**
 * For example `1 day 2 h 5 min`.
 * @param {number} ms
 */
export function exactSpan(ms) {
  const minutes = Math.round(ms / MINUTE_MS);
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  return [days && `${days} ${days === 1 ? 'day' : 'days'}`, hours && `${hours} h`, rest && `${rest} min`]
    .filter(Boolean)
    .join(' ');
}

/**
 * @param {number} ms
 */
export function wholeDays(ms) {
  return Math.floor(ms / DAY_MS);
}

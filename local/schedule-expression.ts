const UNITS_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const DAY_MS = 86_400_000;

/** When a schedule fires. */
export interface ScheduleTimes {
  /** The first time at or after `startMs`. */
  firstMs(startMs: number): number | undefined;
  /** The next time after `previousMs`; undefined when there is none. */
  nextMs(previousMs: number): number | undefined;
}

/** A schedule expression that this account does not run. */
export class ScheduleExpressionError extends Error {
  override readonly name = 'ScheduleExpressionError';
  readonly code = 'schedule_expression_not_supported';
}

/**
 * Reads `rate(N unit)` and `cron(minutes hours day-of-month month day-of-week year)`, in UTC. A rate fires at once and
 * then every interval, as EventBridge Scheduler does where no start date is given.
 * @throws {ScheduleExpressionError} for `at(…)`, the cron wildcards L, W and #, and everything malformed.
 * @see Amazon EventBridge Scheduler User Guide, "Schedule types"
 */
export function parseScheduleExpression(expression: string): ScheduleTimes {
  const [, kind, body = ''] = /^(rate|cron)\(([^)]*)\)$/.exec(expression) ?? [];
  if (kind === 'rate') return rate(expression, body);
  if (kind === 'cron') return cron(expression, body);
  throw refusal(expression, 'only rate(…) and cron(…) run here');
}

function rate(expression: string, body: string): ScheduleTimes {
  const [, count, unit = ''] = /^([1-9]\d*) (minute|hour|day)s?$/.exec(body) ?? [];
  if (count === undefined) throw refusal(expression, 'a rate is a whole number of minutes, hours or days');
  const intervalMs = Number(count) * UNITS_MS[unit]!;
  return { firstMs: (startMs) => startMs, nextMs: (previousMs) => previousMs + intervalMs };
}

function cron(expression: string, body: string): ScheduleTimes {
  const fields = body.trim().split(/\s+/);
  if (fields.length !== 6) throw refusal(expression, 'cron has six fields');
  const [minutes, hours, days, months, weekdays, years] = fields as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  if ((days === '?') === (weekdays === '?'))
    throw refusal(expression, 'exactly one of day of month and day of week is ?');
  const set = (text: string, low: number, high: number, names: string[] = []): Set<number> =>
    field(expression, text, low, high, names);
  const minuteSet = set(minutes, 0, 59);
  const hourSet = set(hours, 0, 23);
  const daySet = days === '?' ? undefined : set(days, 1, 31);
  const monthSet = set(months, 1, 12, MONTHS);
  const weekdaySet = weekdays === '?' ? undefined : set(weekdays, 1, 7, WEEKDAYS);
  const yearSet = set(years, 1970, 2199);

  const dayMatches = (day: Date): boolean =>
    yearSet.has(day.getUTCFullYear()) &&
    monthSet.has(day.getUTCMonth() + 1) &&
    (daySet?.has(day.getUTCDate()) ?? true) &&
    (weekdaySet?.has(day.getUTCDay() + 1) ?? true);
  const atOrAfter = (fromMs: number): number | undefined => {
    const lastMs = Date.UTC(Math.max(...yearSet) + 1, 0, 1);
    for (let dayMs = Math.floor(fromMs / DAY_MS) * DAY_MS; dayMs < lastMs; dayMs += DAY_MS) {
      if (!dayMatches(new Date(dayMs))) continue;
      for (const hour of hourSet) {
        for (const minute of minuteSet) {
          const timeMs = dayMs + hour * 3_600_000 + minute * 60_000;
          if (timeMs >= fromMs) return timeMs;
        }
      }
    }
    return undefined;
  };
  return { firstMs: atOrAfter, nextMs: (previousMs) => atOrAfter(previousMs + 1) };
}

/** The numbers that one field stands for, ascending: `*`, numbers, names, `a-b`, `a/step`, and lists of them. */
function field(expression: string, text: string, low: number, high: number, names: string[]): Set<number> {
  const numberOf = (word: string): number => {
    const named = names.indexOf(word.toUpperCase());
    const value = named >= 0 ? named + 1 : /^\d+$/.test(word) ? Number(word) : NaN;
    if (!(value >= low && value <= high))
      throw refusal(expression, `${text} is not between ${low} and ${high}`);
    return value;
  };
  const numbers = text.split(',').flatMap((part) => {
    const [range = '', step] = part.split('/');
    if (step !== undefined && !/^[1-9]\d*$/.test(step))
      throw refusal(expression, `${part} has no usable step`);
    const [from = '', to] = range.split('-');
    const first = range === '*' ? low : numberOf(from);
    const last = to !== undefined ? numberOf(to) : range === '*' || step !== undefined ? high : first;
    if (last < first) throw refusal(expression, `${part} ends before it begins`);
    return Array.from(
      { length: Math.floor((last - first) / Number(step ?? 1)) + 1 },
      (_, n) => first + n * Number(step ?? 1),
    );
  });
  return new Set(numbers.sort((a, b) => a - b));
}

function refusal(expression: string, reason: string): ScheduleExpressionError {
  return new ScheduleExpressionError(`schedule expression ${expression}: ${reason}`);
}

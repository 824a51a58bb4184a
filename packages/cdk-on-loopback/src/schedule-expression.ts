const UNITS_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const DAY_MS = 86_400_000;

/** The times at which a schedule fires. */
export interface ScheduleTimes {
  /** The interval of a rate. */
  intervalMs?: number;
  /** The first time at or after `startMs`. */
  firstMs(startMs: number): number | undefined;
  /** The next time after `previousMs`; undefined if there is none. */
  nextMs(previousMs: number): number | undefined;
}

/** A schedule expression that is malformed or not supported here. */
export class ScheduleExpressionError extends Error {
  override readonly name = 'ScheduleExpressionError';
  readonly code = 'schedule_expression_not_supported';
}

/**
 * Parses `rate(N unit)` and `cron(minutes hours day-of-month month day-of-week year)`, in UTC. A rate fires at once and
 * then at every interval, as EventBridge Scheduler does without a start date.
 * @throws {ScheduleExpressionError} for `at(…)`, the cron wildcard W, and everything malformed.
 * @see Amazon EventBridge Scheduler User Guide, "Schedule types"; Secrets Manager User Guide, "Rotation schedules"
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
  return { intervalMs, firstMs: (startMs) => startMs, nextMs: (previousMs) => previousMs + intervalMs };
}

function cron(expression: string, body: string): ScheduleTimes {
  const fields = body.trim().split(/\s+/);
  if (fields.length !== 6) throw refusal(expression, 'cron has six fields');
  const [minutes = '', hours = '', days = '', months = '', weekdays = '', years = ''] = fields;
  if ((days === '?') === (weekdays === '?'))
    throw refusal(expression, 'exactly one of day of month and day of week is ?');
  const set = (text: string, low: number, high: number, names: string[] = []): Set<number> =>
    field(expression, text, low, high, names);
  const minuteSet = set(minutes, 0, 59);
  const hourSet = set(hours, 0, 23);
  const isDayOfMonth = dayOfMonth(expression, days);
  const isWeekday = weekday(expression, weekdays);
  const monthSet = set(months, 1, 12, MONTHS);
  const yearSet = set(years, 1970, 2199);

  const dayMatches = (day: Date): boolean =>
    yearSet.has(day.getUTCFullYear()) &&
    monthSet.has(day.getUTCMonth() + 1) &&
    isDayOfMonth(day) &&
    isWeekday(day);
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

/** Matches `?`, days, or `L` for the last day. */
function dayOfMonth(expression: string, text: string): (day: Date) => boolean {
  if (text === '?') return () => true;
  if (text === 'L') return (day) => daysLeft(day) === 0;
  const days = field(expression, text, 1, 31, []);
  return (day) => days.has(day.getUTCDate());
}

/** Matches `?`, days, `SUN#2` for a month's second Sunday, `SUNL` for its last, or `L` for the week's last day. */
function weekday(expression: string, text: string): (day: Date) => boolean {
  if (text === '?') return () => true;
  const [, name = text, which] = /^(\w{1,3}?)(L|#[1-5])$/.exec(text) ?? [];
  const days = field(expression, name === 'L' ? 'SAT' : name, 1, 7, WEEKDAYS);
  const isNamed = (day: Date): boolean => days.has(day.getUTCDay() + 1);
  if (which === undefined) return isNamed;
  if (which === 'L') return (day) => isNamed(day) && daysLeft(day) < 7;
  return (day) => isNamed(day) && `#${Math.ceil(day.getUTCDate() / 7)}` === which;
}

/** The number of days left in the month after this one. */
function daysLeft(day: Date): number {
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0));
  return last.getUTCDate() - day.getUTCDate();
}

/** Parses one field into its numbers, ascending. It may hold `*`, numbers, names, `a-b`, `a/step`, and lists of them. */
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

import { type RotationRules } from '../account';
import { parseScheduleExpression, ScheduleExpressionError } from '../schedule-expression';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MIN_INTERVAL_MS = 4 * HOUR_MS;
const MAX_RATE_DAYS = 999;

export interface RotationWindows {
  /** When the next window opens after `lastMs`, the time of the last rotation or of the configuration. */
  readonly openingMs: (lastMs: number) => number | undefined;
  /** The last second of the window that opens at a time. */
  readonly endMs: (openingMs: number) => number;
}

/** Rotation rules that Secrets Manager rejects, or that are not supported here. */
export class RotationRulesError extends Error {
  override readonly name = 'RotationRulesError';
  readonly code = 'InvalidParameterException';
}

/**
 * The windows of rotation rules, from `nowMs` on; undefined without a schedule.
 * @throws {RotationRulesError}
 * @see Secrets Manager user guide, rotate-secrets_schedule; API_RotationRulesType
 */
export function rotationWindows(rules: RotationRules, nowMs: number): RotationWindows | undefined {
  const { scheduleExpression, automaticallyAfterDays, duration } = rules;
  if (scheduleExpression !== undefined && automaticallyAfterDays !== undefined)
    throw new RotationRulesError('a schedule has AutomaticallyAfterDays or ScheduleExpression, not both');
  const lengthMs = duration === undefined ? undefined : readDuration(duration);
  const expression =
    scheduleExpression ??
    (automaticallyAfterDays === undefined ? undefined : `rate(${automaticallyAfterDays} days)`);
  if (expression === undefined) return undefined;
  const openingMs = expression.startsWith('rate(') ? rate(expression) : cron(expression);
  const windows = {
    openingMs,
    endMs: (fromMs: number) => fromMs + (lengthMs ?? defaultLengthMs(fromMs, openingMs)) - 1000,
  };
  requireSpacing(windows, expression, nowMs);
  return windows;
}

/** Windows of a rate in days open at midnight, those of a rate in hours on the hour. */
function rate(expression: string): RotationWindows['openingMs'] {
  const [, count, unit] = /^rate\(([1-9]\d*) (hour|day)s?\)$/.exec(expression) ?? [];
  if (count === undefined || (unit === 'day' && Number(count) > MAX_RATE_DAYS))
    throw refusal(expression, `a rate is a whole number of hours, or of up to ${MAX_RATE_DAYS} days`);
  const unitMs = unit === 'day' ? DAY_MS : HOUR_MS;
  return (lastMs) => Math.floor(lastMs / unitMs) * unitMs + Number(count) * unitMs;
}

function cron(expression: string): RotationWindows['openingMs'] {
  if (!/^cron\(0 .* \*\)$/.test(expression))
    throw refusal(expression, 'the minutes of a rotation schedule are 0 and its year is *');
  try {
    const times = parseScheduleExpression(expression);
    return (lastMs) => times.nextMs(lastMs);
  } catch (error) {
    if (!(error instanceof ScheduleExpressionError)) throw error;
    throw new RotationRulesError(error.message, { cause: error });
  }
}

function readDuration(duration: string): number {
  const hours = Number(/^([1-9]\d?)h$/.exec(duration)?.[1] ?? NaN);
  if (hours <= 24) return hours * HOUR_MS;
  throw new RotationRulesError(`duration ${duration}: allowed: 1h to 24h`);
}

/** The default length of a window: one hour if the schedule is in hours, else the rest of the UTC day. */
function defaultLengthMs(openingMs: number, nextMs: RotationWindows['openingMs']): number {
  const midnightMs = Math.floor(openingMs / DAY_MS) * DAY_MS + DAY_MS;
  return (nextMs(openingMs) ?? Infinity) < midnightMs ? HOUR_MS : midnightMs - openingMs;
}

/** Requires that no window extends into the next UTC day or the next window, and that they are four hours apart. */
function requireSpacing({ openingMs, endMs }: RotationWindows, expression: string, nowMs: number): void {
  const firstMs = openingMs(nowMs);
  if (firstMs === undefined) throw refusal(expression, 'it has no future time');
  for (let atMs = firstMs; atMs < firstMs + DAY_MS;) {
    const nextMs = openingMs(atMs) ?? Infinity;
    if (nextMs - atMs < MIN_INTERVAL_MS)
      throw refusal(expression, 'rotations must be at least four hours apart');
    if (endMs(atMs) >= Math.min(nextMs, Math.floor(atMs / DAY_MS) * DAY_MS + DAY_MS))
      throw refusal(expression, 'the window extends into the next day or the next window');
    atMs = nextMs;
  }
}

function refusal(expression: string, reason: string): RotationRulesError {
  return new RotationRulesError(`schedule expression ${expression}: ${reason}`);
}

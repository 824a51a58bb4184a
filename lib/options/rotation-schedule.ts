/*
 * The fields of a cron expression as Secrets Manager accepts them, but with only one hour: nobody issues several
 * credentials a day.
 */
const HOUR = '([01]?\\d|2[0-3])';
const DAY = '(0?[1-9]|[12]\\d|3[01])';
const MONTH = '(0?[1-9]|1[0-2]|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)';
const WEEKDAY = '([1-7]|SUN|MON|TUE|WED|THU|FRI|SAT)';
const list = (item: string): string => `${item}(,${item})*`;
const range = (value: string): string => `${value}(-${value})?`;
const stepped = (value: string): string => `(\\*|${range(value)})(/[1-9]\\d?)?`;

const DAYS = `(L|${list(stepped(DAY))})`;
const MONTHS = list(stepped(MONTH));
const WEEKDAYS = `(\\*|${list(range(WEEKDAY))}|${WEEKDAY}#[1-5]|${WEEKDAY}?L)`;

/**
 * The schedule on which Secrets Manager rotates credentials: `none`, or a cron expression in UTC with six fields.
 * Minutes are 0, because rotation windows open on the hour; the year is `*`; day of month or day of week is `?`.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_schedule.html (cron expressions)
 */
export const ROTATION_SCHEDULE = new RegExp(
  `^(none|cron\\(0 ${HOUR} (${DAYS} ${MONTHS} \\?|\\? ${MONTHS} ${WEEKDAYS}) \\*\\))$`,
);

/** The allowed form, for error messages. */
export const ROTATION_SCHEDULE_RULE =
  '"none", or cron(0 HOUR DAY MONTH WEEKDAY *) with one hour and ? for DAY or WEEKDAY, such as cron(0 8 1 */3 ? *)';

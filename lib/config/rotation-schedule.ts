/*
 * The fields of a cron expression as Secrets Manager takes them, but for hours: it would also take several a day, and
 * no person issues a credential that often.
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
 * When Secrets Manager starts the rotation of credentials by itself: `none`, or cron in UTC with six fields. Minutes
 * are 0, since rotation windows open on the hour; the year is `*`; one of day of month and day of week is `?`.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_schedule.html (cron expressions)
 */
export const ROTATION_SCHEDULE = new RegExp(
  `^(none|cron\\(0 ${HOUR} (${DAYS} ${MONTHS} \\?|\\? ${MONTHS} ${WEEKDAYS}) \\*\\))$`,
);

/** What a schedule may look like, in the words of an error message. */
export const ROTATION_SCHEDULE_RULE =
  '"none", or cron(0 HOUR DAY MONTH WEEKDAY *) with one hour, and ? as either DAY or WEEKDAY, such as cron(0 8 1 */3 ? *)';

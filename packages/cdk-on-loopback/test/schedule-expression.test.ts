import { parseScheduleExpression } from '../src/schedule-expression';

const at = (iso: string): number => Date.parse(iso);
const firstTimes = (expression: string, fromIso: string, count: number): string[] => {
  const times = parseScheduleExpression(expression);
  const found: string[] = [];
  for (
    let next = times.firstMs(at(fromIso));
    next !== undefined && found.length < count;
    next = times.nextMs(next)
  ) {
    found.push(new Date(next).toISOString().slice(0, 16));
  }
  return found;
};

// Amazon EventBridge Scheduler User Guide, "Schedule types": a rate without a start date invokes its target at once.
test('fires a rate at once and then every interval', () => {
  expect(firstTimes('rate(5 minutes)', '2026-01-01T00:02:00Z', 3)).toEqual([
    '2026-01-01T00:02',
    '2026-01-01T00:07',
    '2026-01-01T00:12',
  ]);
  expect(firstTimes('rate(1 day)', '2026-01-01T00:02:00Z', 2)).toEqual([
    '2026-01-01T00:02',
    '2026-01-02T00:02',
  ]);
});

test.each<[string, string, string[]]>([
  ['cron(0 */6 * * ? *)', '2026-01-01T05:00:01Z', ['2026-01-01T06:00', '2026-01-01T12:00']],
  ['cron(15 10 ? * MON-FRI *)', '2026-01-02T10:16:00Z', ['2026-01-05T10:15', '2026-01-06T10:15']],
  ['cron(0 8 1 JAN,7 ? *)', '2026-01-01T08:00:00Z', ['2026-01-01T08:00', '2026-07-01T08:00']],
  ['cron(0 0 29 2 ? *)', '2026-01-01T00:00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
  ['cron(5/20 0 ? * 1 *)', '2026-01-01T00:00:00Z', ['2026-01-04T00:05', '2026-01-04T00:25']],
  ['cron(0 17 L * ? *)', '2028-02-01T00:00:00Z', ['2028-02-29T17:00', '2028-03-31T17:00']],
  ['cron(0 0 ? * SUN#1 *)', '2026-01-01T00:00:00Z', ['2026-01-04T00:00', '2026-02-01T00:00']],
  ['cron(0 0 ? 5 6#5 *)', '2026-01-01T00:00:00Z', ['2026-05-29T00:00', '2030-05-31T00:00']],
  ['cron(0 0 ? * FRIL *)', '2026-01-01T00:00:00Z', ['2026-01-30T00:00', '2026-02-27T00:00']],
  ['cron(0 0 ? * L *)', '2026-01-01T00:00:00Z', ['2026-01-03T00:00', '2026-01-10T00:00']],
  ['cron(0 12 * * ? 2026)', '2026-12-31T12:00:01Z', []],
])('%s after %s', (expression, from, expected) => {
  expect(firstTimes(expression, from, 2)).toEqual(expected);
});

test.each([
  ['at(2026-01-01T00:00:00)', /only rate\(…\) and cron/],
  ['rate(0 minutes)', /whole number/],
  ['rate(5 seconds)', /whole number/],
  ['cron(0 0 * * *)', /six fields/],
  ['cron(0 0 * * * *)', /exactly one of day of month and day of week/],
  ['cron(0 0 ? * ? *)', /exactly one of day of month and day of week/],
  ['cron(60 0 * * ? *)', /60 is not between 0 and 59/],
  ['cron(0 0 15W * ? *)', /15W is not between 1 and 31/],
  ['cron(0 0 ? * 2#6 *)', /2#6 is not between/],
  ['cron(0 0 ? * 1-5L *)', /1-5L is not between/],
  ['cron(0 0 L-2 * ? *)', /L-2 is not between/],
  ['cron(0 9-5 * * ? *)', /ends before it begins/],
  ['cron(0/0 0 * * ? *)', /no usable step/],
])('refuses %s', (expression, message) => {
  expect(() => parseScheduleExpression(expression)).toThrow(message);
});

import { type RotationRules } from '../../src/account';
import { rotationWindows } from '../../src/rotation/rotation-windows';

const minute = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16);

// Secrets Manager User Guide, "Rotation schedules": rates in days open at midnight, the others on the hour; without a
// duration a window in days closes with the day, one in hours after an hour.
test.each<[string | RotationRules, string | undefined, string, string, string]>([
  ['rate(10 days)', undefined, '2026-01-01T07:30Z', '2026-01-11T00:00', '2026-01-11T23:59'],
  ['rate(1 day)', '3h', '2026-01-01T07:30Z', '2026-01-02T00:00', '2026-01-02T02:59'],
  ['rate(4 hours)', undefined, '2026-01-01T07:30Z', '2026-01-01T11:00', '2026-01-01T11:59'],
  ['cron(0 16 1,15 * ? *)', '2h', '2026-01-01T16:00Z', '2026-01-15T16:00', '2026-01-15T17:59'],
  ['cron(0 8 1 1/3 ? *)', undefined, '2026-01-02T00:00Z', '2026-04-01T08:00', '2026-04-01T23:59'],
  ['cron(0 8/8 * * ? *)', undefined, '2026-01-01T09:00Z', '2026-01-01T16:00', '2026-01-01T23:59'],
  ['cron(0 0/8 * * ? *)', undefined, '2026-01-01T01:00Z', '2026-01-01T08:00', '2026-01-01T08:59'],
  [{ automaticallyAfterDays: 90 }, undefined, '2026-01-01T07:30Z', '2026-04-01T00:00', '2026-04-01T23:59'],
])('%j, duration %s, after %s', (rule, duration, from, opening, end) => {
  const rules = typeof rule === 'string' ? { scheduleExpression: rule, duration } : rule;
  const windows = rotationWindows(rules, Date.parse(from))!;

  const openingMs = windows.openingMs(Date.parse(from))!;

  expect([minute(openingMs), minute(windows.endMs(openingMs))]).toEqual([opening, end]);
  expect(windows.endMs(openingMs) % 60_000).toBe(59_000);
});

test('there are none without a schedule', () => {
  expect(rotationWindows({}, 0)).toBeUndefined();
  expect(rotationWindows({ duration: '2h' }, 0)).toBeUndefined();
});

test.each<[RotationRules, RegExp]>([
  [{ scheduleExpression: 'rate(1 day)', automaticallyAfterDays: 1 }, /not both/],
  [{ scheduleExpression: 'rate(3 hours)' }, /four hours apart/],
  [{ scheduleExpression: 'cron(0 0/2 * * ? *)' }, /four hours apart/],
  [{ scheduleExpression: 'rate(1000 days)' }, /up to 999 days/],
  [{ scheduleExpression: 'rate(30 minutes)' }, /whole number of hours/],
  [{ scheduleExpression: 'rate(0 days)' }, /whole number of hours/],
  [{ scheduleExpression: 'cron(30 8 1 * ? *)' }, /minutes of a rotation schedule are 0/],
  [{ scheduleExpression: 'cron(0 8 1 * ? 2027)' }, /its year is \*/],
  [{ scheduleExpression: 'cron(0 8 15W * ? *)' }, /15W is not between 1 and 31/],
  [{ scheduleExpression: 'cron(0 8 31 2 ? *)' }, /no future time/],
  [{ scheduleExpression: 'cron(0 22 1 * ? *)', duration: '3h' }, /into the next day/],
  [{ scheduleExpression: 'rate(4 hours)', duration: '5h' }, /next window/],
  [{ scheduleExpression: 'rate(1 day)', duration: '25h' }, /1h to 24h/],
  [{ scheduleExpression: 'rate(1 day)', duration: '0h' }, /1h to 24h/],
  [{ scheduleExpression: 'at(2026-01-01T00:00:00)' }, /minutes of a rotation schedule/],
])('refuses %j', (rules, message) => {
  expect(() => rotationWindows(rules, Date.parse('2026-01-01T00:00Z'))).toThrow(message);
});

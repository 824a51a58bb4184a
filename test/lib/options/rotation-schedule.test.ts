import { parseConfiguration } from '../../../lib/options/load';
import { faultsOf } from '../../support/lib/faults';
import { written } from '../../support/lib/configuration';

const withSchedule = (rotationSchedule: string) => written({ credentials: { rotationSchedule } });

describe('credentials.rotationSchedule', () => {
  // https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_schedule.html
  it.each([
    'none',
    'cron(0 8 1 */3 ? *)',
    'cron(0 8 1 JAN,APR,JUL,OCT ? *)',
    'cron(0 8 1,15 * ? *)',
    'cron(0 16 1-7/2 1-6 ? *)',
    'cron(0 0 L * ? *)',
    'cron(0 8 ? * MON-FRI *)',
    'cron(0 8 ? 3,9 SUN#1 *)',
    'cron(0 17 ? * 6L *)',
  ])('%s is accepted', (schedule) => {
    expect(faultsOf(withSchedule(schedule))).toEqual([]);
  });

  it.each([
    ['another minute than the full hour', 'cron(30 8 1 */3 ? *)'],
    ['a year', 'cron(0 8 1 */3 ? 2027)'],
    ['several hours a day', 'cron(0 8/4 1 */3 ? *)'],
    ['an hour that no day has', 'cron(0 24 1 */3 ? *)'],
    ['a day that no month has', 'cron(0 8 32 */3 ? *)'],
    ['day 0', 'cron(0 8 0 */3 ? *)'],
    ['a month that no year has', 'cron(0 8 1 13 ? *)'],
    ['a weekday that no week has', 'cron(0 8 ? * 8 *)'],
    ['weekday 0', 'cron(0 8 ? * 0 *)'],
    ['both day and weekday', 'cron(0 8 1 */3 MON *)'],
    ['neither day nor weekday', 'cron(0 8 ? */3 ? *)'],
    ['seven fields', 'cron(0 0 8 1 */3 ? *)'],
    ['a rate, with which a changed schedule still fires', 'rate(90 days)'],
    ['something after it', 'cron(0 8 1 */3 ? *) '],
    ['small letters', 'cron(0 8 1 jan ? *)'],
  ])('%s is refused, with the form that is allowed', (_, schedule) => {
    expect(faultsOf(withSchedule(schedule))).toEqual([
      `deployments[0].credentials.rotationSchedule: found ${JSON.stringify(schedule)}; allowed: "none", or ` +
        'cron(0 HOUR DAY MONTH WEEKDAY *) with one hour and ? for DAY or WEEKDAY, such as cron(0 8 1 */3 ? *)',
    ]);
  });

  it('defaults to the first day of each quarter', () => {
    const { deployments } = parseConfiguration(written(), 'x');

    expect(deployments[0]!.credentials).toEqual({ maxAgeDays: 90, rotationSchedule: 'cron(0 8 1 */3 ? *)' });
  });
});

import { configured, TENANT_IDS } from '../support/live/configured';
import { Life, UNNOTICED } from './support/life';
import { LiveAccount } from '../support/live/live-account';

const MINUTE_MS = 60_000;

const withSchedule = (rotationSchedule: string) => configured({ credentials: { rotationSchedule } });

test('a rotation schedule is changed, switched off, and on again', async () => {
  const life = await Life.begin(withSchedule('cron(0 8 1 */3 ? *)'));
  const schedules = () =>
    [...life.live.account.secrets.values()].flatMap(
      ({ rotation }) => rotation?.rules.scheduleExpression ?? [],
    );

  await life.deploy(withSchedule('cron(0 9 1 */3 ? *)'));
  expect(new Set(schedules())).toEqual(new Set(['cron(0 9 1 */3 ? *)']));
  await life.deploy(withSchedule('none'));
  // CloudFormation leaves the schedule on the secrets: https://github.com/aws/aws-cdk/issues/27460
  expect(new Set(schedules())).toEqual(new Set(['cron(0 9 1 */3 ? *)']));
  await life.deploy(withSchedule('cron(0 10 1 */3 ? *)'));

  expect(await life.outcome()).toEqual(UNNOTICED);
  expect(schedules()).toEqual(Array(4).fill('cron(0 10 1 */3 ? *)'));
  expect(
    [...life.live.account.secrets.values()].filter(({ rotation }) => rotation && !rotation.isEnabled),
  ).toEqual([]);
});

test('an update succeeds after a scheduled rotation that nobody had prepared', async () => {
  const first = withSchedule('cron(0 13 * * ? *)');
  const live = new LiveAccount(TENANT_IDS);
  await live.deploy(first);
  await live.time.advance(45 * MINUTE_MS);
  const life = await Life.of(live, first.deployments[0]!);
  await live.time.advance(5 * MINUTE_MS);
  const rotated = [...live.account.secrets.values()].filter(({ rotation }) => rotation);
  expect(new Date(live.time.nowMs()).getUTCHours()).toBe(13);
  expect(rotated.map(({ versions }) => versions.size)).toEqual([2, 2, 2, 2]);

  await life.deploy(withSchedule('cron(0 10 1 */3 ? *)'));

  expect(await life.outcome()).toEqual(UNNOTICED);
});

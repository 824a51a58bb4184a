import { configured } from './support/configured';
import { Life, UNNOTICED } from './support/life';

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
  await life.deploy(withSchedule('cron(0 10 1 */3 ? *)'));

  expect(await life.outcome()).toEqual(UNNOTICED);
  expect(schedules()).toEqual(Array(4).fill('cron(0 10 1 */3 ? *)'));
  expect(
    [...life.live.account.secrets.values()].filter(({ rotation }) => rotation && !rotation.isEnabled),
  ).toEqual([]);
}, 60_000);

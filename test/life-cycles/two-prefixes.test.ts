import { configured, TENANTS } from '../support/live/configured';
import { Life, UNNOTICED } from './support/life';

test('deployments with two prefixes live side by side, and one leaves without the other', async () => {
  const [mine, yours] = [configured(), configured({ tenants: TENANTS }, { prefix: 'yours' })];
  const life = await Life.begin(mine);

  await life.live.deploy(yours);
  const other = await Life.of(life.live, yours.deployments[0]!);
  await life.deploy(configured({ tags: { team: 'red' } }));
  await other.traffic.end();
  expect(other.traffic.failed).toEqual([]);
  await life.live.destroy(yours.stacks.map(({ name }) => name));

  expect(await life.outcome()).toEqual(UNNOTICED);
});

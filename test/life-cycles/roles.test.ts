import { configured } from '../support/live/configured';
import { Life, UNNOTICED } from './support/life';

test('the roles get a path and names, while the deployment serves', async () => {
  const life = await Life.begin(configured());
  const { account } = life.live;
  const rolesInUse = () => [...account.functions.values()].map(({ roleArn }) => roleArn);

  await life.deploy(configured({ roles: { path: '/team/', namePrefix: 'corp-' } }));
  for (const arn of rolesInUse()) expect(arn).toMatch(/:role\/team\/corp-latchkey-staging-global-/);

  expect(await life.outcome()).toEqual(UNNOTICED);
  expect([...account.roles.keys()].filter((arn) => !arn.includes('corp-'))).toEqual([
    expect.stringContaining('LoggingRole'),
  ]);
});

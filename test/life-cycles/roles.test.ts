import { configured } from './support/configured';
import { Life, UNNOTICED } from './support/life';

const arnOf = (type: string, name: string) => `arn:aws:iam::111111111111:${type}/team/${name}`;
const EXISTING = {
  ...Object.fromEntries(
    [
      ...['tokenRefresh', 'tokenSweep', 'credentialWatch', 'rotateCredentials', 'restore', 'authorizer'],
      ...['tokenSweepSchedule', 'credentialWatchSchedule', 'credentialProofSchedule', 'apiGatewayLogging'],
    ].map((name) => [name, arnOf('role', name)]),
  ),
  operatorPolicy: arnOf('policy', 'operators'),
};

test('the roles get a path and names, and are then replaced by ones that exist, while the deployment serves', async () => {
  const life = await Life.begin(configured());
  const { account } = life.live;
  const rolesInUse = () => [...account.functions.values()].map(({ roleArn }) => roleArn);

  await life.deploy(configured({ roles: { path: '/team/', namePrefix: 'corp-' } }));
  for (const arn of rolesInUse()) expect(arn).toMatch(/:role\/team\/corp-latchkey-staging-global-/);

  await life.deploy(configured({ roles: { existing: EXISTING } }));
  for (const arn of rolesInUse()) expect(Object.values(EXISTING)).toContain(arn);

  expect(await life.outcome()).toEqual(UNNOTICED);
  expect([...account.roles.keys()].filter((arn) => arn.includes('corp-'))).toEqual([
    expect.stringContaining('api-gateway-logging'),
  ]);
});

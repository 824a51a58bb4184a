import { tenantStackName } from '../../core/deployment/stack-names';
import { configured, TENANTS } from '../support/live/configured';
import { Life, UNNOTICED } from './support/life';

const [FIRST, SECOND] = TENANTS;
const DEPLOYMENT_KEY = { environment: 'staging', platformRegion: 'global' } as const;
const SECOND_STACK = tenantStackName('latchkey', DEPLOYMENT_KEY, SECOND!.tenantId);
const MINUTE_MS = 60_000;
const WEBHOOKS = { interface: 'webhooks', scope: 'api/webhooks' } as const;

test('a tenant is added, removed, and added again with its retained credentials', async () => {
  const [alone, together] = [configured({ tenants: [FIRST!] }), configured({ tenants: TENANTS })];
  const life = await Life.begin(alone);

  await life.deploy(together);
  const before = life.live.stored();
  const ofSecond = Object.keys(before).filter((name) => name.includes(SECOND!.tenantId));
  life.traffic.useOnly(alone.deployments[0]!);
  await life.live.destroy([SECOND_STACK]);
  await life.live.time.advance(12 * MINUTE_MS);
  await life.deploy(alone);
  const retained = Object.keys(life.live.stored()).filter((name) => name.includes(SECOND!.tenantId));
  const [clientCredentials, apiKey] = retained.map((name) => before[name]!.arn);
  await life.deploy(configured({ tenants: [FIRST!, { ...SECOND!, adopt: { clientCredentials, apiKey } }] }));

  expect(await life.outcome()).toEqual(UNNOTICED);
  expect(retained).toEqual(ofSecond.filter((name) => !name.includes('/token/')));
  const after = life.live.stored();
  for (const name of retained)
    expect([name, after[name]!.values.AWSCURRENT]).toEqual([name, before[name]!.values.AWSCURRENT]);
});

test('a token type is added and removed', async () => {
  const usual = configured();
  const more = configured({ tenants: [FIRST!, { ...SECOND!, tokens: [...SECOND!.tokens, WEBHOOKS] }] });
  const life = await Life.begin(usual);
  const tokens = () => Object.keys(life.live.stored()).filter((name) => name.includes('/webhooks/'));

  await life.deploy(more);
  const [added] = tokens();
  expect(life.live.stored()[added!]?.values.AWSCURRENT).toBeDefined();
  await life.deploy(usual);

  expect(await life.outcome()).toEqual(UNNOTICED);
  expect(tokens()).toEqual([]);
});

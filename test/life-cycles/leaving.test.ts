import { addSecret } from '../support/lib/provisioned';
import { configured, TENANTS } from '../support/live/configured';
import { Life, UNNOTICED } from './support/life';

const MINUTE_MS = 60_000;
const [FIRST, SECOND] = TENANTS;

test('everything is destroyed, then deployed again with what was retained and a secret of others', async () => {
  const { live, ...first } = await Life.begin(configured());
  await first.traffic.end();
  const [before] = [live.stored()];
  const [key] = live.account.keys.keys();

  await live.destroy();
  const retained = live.stored();
  expect(Object.keys(retained)).toEqual(Object.keys(before).filter((name) => !name.includes('/token/')));
  expect([live.account.functions.size, live.account.schedules.size, live.account.alarms.size]).toEqual([
    0, 0, 0,
  ]);
  await live.time.advance(30 * MINUTE_MS);

  const foreign = addSecret(live.account, 'legacy/platform/pair');
  foreign.tags['latchkey:kind'] = 'client-credentials';
  live.secrets.put(foreign.name, live.platform.issueValue(SECOND!.tenantId, 'client-credentials'));
  const arnOf = (tenantId: string, leaf: string) =>
    Object.entries(retained).find(([name]) => name.endsWith(`/${tenantId}/${leaf}`))![1].arn;
  const again = configured({
    kmsKeyArn: key,
    tenants: [
      {
        ...FIRST!,
        adopt: {
          clientCredentials: arnOf(FIRST!.tenantId, 'client-credentials'),
          apiKey: arnOf(FIRST!.tenantId, 'api-key'),
        },
      },
      { ...SECOND!, adopt: { clientCredentials: foreign.arn, apiKey: arnOf(SECOND!.tenantId, 'api-key') } },
    ],
  });
  await live.deploy(again);
  const life = await Life.of(live, again.deployments[0]!);

  expect(await life.outcome()).toEqual(UNNOTICED);
  for (const [name, { arn, values }] of Object.entries(retained))
    expect([name, live.stored()[name]]).toEqual([name, { arn, values }]);
});

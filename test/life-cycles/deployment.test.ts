import { type Topic } from 'cdk-on-loopback/testing';
import { configured, TENANTS } from '../support/live/configured';
import { Life, UNNOTICED } from './support/life';

const MINUTE_MS = 60_000;

test('the stack of a deployment is updated while sweeps run and renew tokens', async () => {
  const usual = configured();
  const changed = configured({
    reservedConcurrency: 'none',
    tags: { team: 'red' },
    alarms: { emails: ['other@example.com'] },
  });
  const life = await Life.begin(usual);
  const { live } = life;
  const renewals = () => live.secrets.commandsOf('PutSecretValue').length;
  let renewedDuringUpdates = 0;
  // Sweeps renew a token when it is about 40 minutes old.
  await live.time.advance(25 * MINUTE_MS);

  for (let update = 0; update < 5; update += 1) {
    const before = renewals();
    await live.deploy(update % 2 === 0 ? changed : usual);
    renewedDuringUpdates += renewals() - before;
  }

  expect(await life.outcome()).toEqual(UNNOTICED);
  expect(renewedDuringUpdates).toBeGreaterThan(0);
});

test('alarms move to another topic, which then gets them', async () => {
  const life = await Life.begin(configured());
  const own = [...life.live.account.topics.values()][0]!;
  // A topic of another team, with SNS's default policy.
  const arn = 'arn:aws:sns:eu-west-1:111111111111:on-call';
  const topic: Topic = { arn, name: 'on-call', subscriptions: [], messages: [] };
  life.live.account.topics.set(topic.arn, topic);

  await life.deploy(configured({ alarms: { topicArn: topic.arn } }));

  expect(await life.outcome()).toEqual(UNNOTICED);
  expect([...life.live.account.topics.keys()]).toEqual([topic.arn]);
  const before = own.messages.length;
  life.live.platform.setTrouble(() => ({ kind: 'unreachable', code: 'ECONNREFUSED' }));
  await life.live.time.advance(60 * MINUTE_MS);
  expect(own.messages.length).toBe(before);
  expect(topic.messages.length).toBeGreaterThan(0);
});

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

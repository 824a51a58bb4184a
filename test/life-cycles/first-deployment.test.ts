import { type AssemblyStack } from 'cdk-on-loopback/testing';
import { configured, TENANT_IDS } from '../support/live/configured';
import { Life, UNNOTICED } from './support/life';
import { LiveAccount } from '../support/live/live-account';

/** A stack of which this share of resources is created, and then one fails. */
function failingAfter(share: number, stack: AssemblyStack): AssemblyStack {
  const resources = Object.entries(stack.template.Resources);
  const Properties = {
    SecretId: 'arn:aws:secretsmanager:eu-west-1:111111111111:secret:none-AbCdEf',
    ResourcePolicy: {},
  };
  const broken = { Type: 'AWS::SecretsManager::ResourcePolicy', Properties, DependsOn: [] };
  resources.splice(Math.ceil(share * resources.length), 0, ['Broken', broken]);
  return { ...stack, template: { ...stack.template, Resources: Object.fromEntries(resources) } };
}

test('a first deployment that fails, wherever it does, leaves nothing in the way of the next attempt', async () => {
  const wanted = configured();
  const live = new LiveAccount(TENANT_IDS);
  const existing = () => [...live.account.secrets.keys(), ...live.account.keys.keys()];

  for (const stack of wanted.stacks) {
    const before = existing();
    for (const share of [0.3, 0.6, 1]) {
      await expect(live.deploy({ stacks: [failingAfter(share, stack)] })).rejects.toThrow(/Broken/);
      expect(existing()).toEqual(before);
    }
    await live.deploy({ stacks: [stack] });
  }

  const life = await Life.of(live, wanted.deployments[0]!);
  expect(await life.outcome()).toEqual(UNNOTICED);
});

// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html (new accounts)
test('the default deployment succeeds in a new account, which has 10 concurrent executions', async () => {
  const wanted = configured();
  const live = new LiveAccount(TENANT_IDS);
  live.account.concurrentExecutions = 10;

  await live.deploy(wanted);

  const life = await Life.of(live, wanted.deployments[0]!);
  expect(await life.outcome()).toEqual(UNNOTICED);
});

import { type Key } from 'cdk-on-loopback/testing';
import { configured } from '../support/live/configured';
import { Life, UNNOTICED } from './support/life';

/** A key whose account decides by the policies of its roles. */
function keyOf(id: string): Key {
  const arn = `arn:aws:kms:eu-west-1:111111111111:key/${id}`;
  const Principal = { AWS: 'arn:aws:iam::111111111111:root' };
  return { arn, policy: { Statement: { Effect: 'Allow', Principal, Action: 'kms:*', Resource: '*' } } };
}

/** A deployment with its own key, and two others in the account. */
async function withKeys(): Promise<{ life: Life; own: string; one: string; other: string }> {
  const life = await Life.begin(configured());
  const { keys } = life.live.account;
  const [own] = keys.keys();
  const [one, other] = [keyOf('one'), keyOf('other')];
  for (const key of [one, other]) keys.set(key.arn, key);
  return { life, own: own!, one: one.arn, other: other.arn };
}

test('the key changes from an own one to a given one, and to another, and the former ones are deleted', async () => {
  const { life, own, one, other } = await withKeys();
  const { account } = life.live;

  await life.deploy(configured({ kmsKeyArn: one, formerKmsKeyArns: [own] }));
  await life.deploy(configured({ kmsKeyArn: other, formerKmsKeyArns: [one, own] }));
  await life.deploy(configured({ kmsKeyArn: other }));
  for (const former of [own, one]) account.keys.delete(former);

  expect(await life.outcome()).toEqual(UNNOTICED);
  expect([...account.secrets.values()].map(({ kmsKeyArn }) => kmsKeyArn)).toEqual(Array(8).fill(other));
});

test('without the former key, restores fail until the tenants’ stacks are deployed', async () => {
  const { life, one } = await withKeys();

  await life.deploy(configured({ kmsKeyArn: one }));

  const { failed } = await life.outcome();
  expect(failed).toContainEqual(expect.stringMatching(/restore for tenant-1: 500$/));
});

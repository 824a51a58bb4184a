import { type Key } from 'cdk-on-loopback/testing';
import { configured } from '../support/live/configured';
import { Life, UNNOTICED } from './support/life';

/** A key whose account decides by the policies of its roles. */
function keyOf(id: string): Key {
  const arn = `arn:aws:kms:eu-west-1:111111111111:key/${id}`;
  const Principal = { AWS: 'arn:aws:iam::111111111111:root' };
  return { arn, policy: { Statement: { Effect: 'Allow', Principal, Action: 'kms:*', Resource: '*' } } };
}

test('the key changes from an own one to a given one, and to another, and the former ones are deleted', async () => {
  const life = await Life.begin(configured());
  const { keys, secrets } = life.live.account;
  const [own = ''] = keys.keys();
  const [one, other] = [keyOf('one'), keyOf('other')];
  for (const key of [one, other]) keys.set(key.arn, key);

  await life.deploy(configured({ kmsKeyArn: one.arn, formerKmsKeyArns: [own] }));
  await life.deploy(configured({ kmsKeyArn: other.arn, formerKmsKeyArns: [one.arn, own] }));
  await life.deploy(configured({ kmsKeyArn: other.arn }));
  for (const former of [own, one.arn]) keys.delete(former);

  expect(await life.outcome()).toEqual(UNNOTICED);
  expect([...secrets.values()].map(({ kmsKeyArn }) => kmsKeyArn)).toEqual(Array(8).fill(other.arn));
});

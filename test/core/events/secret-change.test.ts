import { changedTenants, isQueueEvent } from '../../../core/events/secret-change';
import { deploymentOf } from '../../support/lambdas/token-functions';
import { trailMessage } from '../../support/lambdas/trail-message';

const deployment = deploymentOf(['tenant-a', 'tenant-b', 'tenant-c']);
const { environment, platformRegion, prefix } = deployment;
const PATH = `${prefix}/${environment}/${platformRegion}`;
const ARN = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:';
const LEGACY = `${ARN}legacy/client-AbCdEf`;
deployment.tenants[1]!.adopted.clientCredentials = LEGACY;
deployment.tenants[2]!.adopted.apiKey = { arn: LEGACY };

const changed = (...secretIds: unknown[]) =>
  changedTenants({ Records: secretIds.map((secretId) => trailMessage(secretId)) }, deployment);

test.each([
  ['a name', `${PATH}/tenant-a/client-credentials`],
  ['a full ARN', `${ARN}${PATH}/tenant-a/api-key-AbCdEf`],
  ['an ARN without its last characters', `${ARN}${PATH}/tenant-a/token/content/api-read`],
])('a call may name a secret by %s', (_, secretId) => {
  expect(changed(secretId)).toEqual(['tenant-a']);
});

test.each([
  ['its name', 'legacy/client'],
  ['its ARN', LEGACY],
  ['its ARN without its last characters', LEGACY.slice(0, -7)],
])('an adopted secret is of every tenant that adopted it, by %s', (_, secretId) => {
  expect(changed(secretId)).toEqual(['tenant-b', 'tenant-c']);
});

test('many changes of a tenant are one', () => {
  const name = `${PATH}/tenant-b/api-key`;

  expect(changed(name, name, `${PATH}/tenant-a/api-key`)).toEqual(['tenant-a', 'tenant-b']);
});

test.each([
  ['another deployment', `${prefix}/other/${platformRegion}/tenant-a/api-key`],
  ['an unknown tenant', `${PATH}/tenant-z/api-key`],
  ['no secret', undefined],
  ['a number', 3],
])('a change of %s is of nobody', (_, secretId) => {
  expect(changed(secretId)).toEqual([]);
});

test.each([[undefined], [{}], [{ body: 'no JSON' }], [{ body: 'null' }], [{ body: '{"detail":{}}' }]])(
  'the message %j is of nobody',
  (message) => {
    expect(changedTenants({ Records: [message] }, deployment)).toEqual([]);
  },
);

test('only a batch of a queue counts as one', () => {
  expect(isQueueEvent({ Records: [] })).toBe(true);
  for (const event of [undefined, {}, { action: 'sweep' }, { Records: 1 }])
    expect(isQueueEvent(event)).toBe(false);
});

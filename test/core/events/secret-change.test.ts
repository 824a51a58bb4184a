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

test.each<[string, unknown[], string[]]>([
  ['a name', [`${PATH}/tenant-a/client-credentials`], ['tenant-a']],
  ['a full ARN', [`${ARN}${PATH}/tenant-a/api-key-AbCdEf`], ['tenant-a']],
  ['an ARN without its last characters', [`${ARN}${PATH}/tenant-a/token/content/api-read`], ['tenant-a']],
  ['the name of an adopted secret, which two tenants use', ['legacy/client'], ['tenant-b', 'tenant-c']],
  ['its ARN', [LEGACY], ['tenant-b', 'tenant-c']],
  ['its ARN without its last characters', [LEGACY.slice(0, -7)], ['tenant-b', 'tenant-c']],
  [
    'two tenants, one of them twice',
    ['b', 'b', 'a'].map((letter) => `${PATH}/tenant-${letter}/api-key`),
    ['tenant-a', 'tenant-b'],
  ],
  ['another deployment', [`${prefix}/other/${platformRegion}/tenant-a/api-key`], []],
  ['an unknown tenant', [`${PATH}/tenant-z/api-key`], []],
  ['no secret', [undefined], []],
  ['a number', [3], []],
])('calls that name %s change the secrets of their tenants', (_, secretIds, tenantIds) => {
  const Records = secretIds.map((secretId) => trailMessage(secretId));

  expect(changedTenants({ Records }, deployment)).toEqual(tenantIds);
});

test.each([[undefined], [{}], [{ body: 'no JSON' }], [{ body: 'null' }], [{ body: '{"detail":{}}' }]])(
  'the message %j is of nobody',
  (message) => {
    expect(changedTenants({ Records: [message] }, deployment)).toEqual([]);
  },
);

test('only a batch of a queue counts as one', () => {
  const events = [{ Records: [] }, undefined, {}, { action: 'sweep' }, { Records: 1 }];

  expect(events.map(isQueueEvent)).toEqual([true, false, false, false, false]);
});

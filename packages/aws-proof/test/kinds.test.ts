import {
  DeleteSecretCommand,
  DescribeSecretCommand,
  RemoveRegionsFromReplicationCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';

import { KINDS } from '../src/clean-up/kinds';
import { clientsWith } from '../src/clients';

const aws = clientsWith({ region: 'eu-west-1' });
const kind = (name: string) => KINDS.find((each) => each.name === name)!;

/** What only AWS has, or lists in pages. */
describe('a kind of what a run leaves', () => {
  const secretsManager = mockClient(SecretsManagerClient);
  beforeEach(() => secretsManager.reset());
  const sent = (client: { calls(): { args: readonly unknown[] }[] }) =>
    client.calls().map(({ args: [command] }) => {
      const { constructor, input } = command as { constructor: { name: string }; input: object };
      return [constructor.name, input];
    });

  test('secret: its replicas are removed before it', async () => {
    secretsManager
      .on(DescribeSecretCommand)
      .resolves({ ReplicationStatus: [{ Region: 'us-east-1' }, { Region: 'us-west-2' }] });
    secretsManager.on(RemoveRegionsFromReplicationCommand).resolves({});
    secretsManager.on(DeleteSecretCommand).resolves({});

    await kind('secret').remove(aws, 'prove-aaaa1111/a');

    expect(sent(secretsManager).slice(1)).toEqual([
      [
        'RemoveRegionsFromReplicationCommand',
        { SecretId: 'prove-aaaa1111/a', RemoveReplicaRegions: ['us-east-1', 'us-west-2'] },
      ],
      ['DeleteSecretCommand', { SecretId: 'prove-aaaa1111/a', ForceDeleteWithoutRecovery: true }],
    ]);
  });

  test.each([
    [
      'secret',
      'arn:aws:secretsmanager:eu-west-1:111111111111:secret:prove-aaaa1111/a-AbCdEf',
      'prove-aaaa1111/a',
    ],
    ['log group', 'arn:aws:logs:eu-west-1:111111111111:log-group:/aws/lambda/a', '/aws/lambda/a'],
    ['log group', 'arn:aws:logs:eu-west-1:111111111111:log-group:a:*', 'a'],
    ['key', 'arn:aws:kms:eu-west-1:111111111111:key/1234abcd', '1234abcd'],
    [undefined, 'arn:aws:lambda:eu-west-1:111111111111:function:prove-aaaa1111-restore', undefined],
    [undefined, 'arn:aws:sns:eu-west-1:111111111111:prove-aaaa1111-alarms', undefined],
    [undefined, 'arn:aws:apigateway:eu-west-1::/restapis/abc123', undefined],
  ])('%s has the ARN %s', (name, arn, nameFromArn) => {
    const found = KINDS.flatMap((each) =>
      each.nameFromArn?.(arn) === undefined ? [] : [[each.name, each.nameFromArn(arn)]],
    );

    expect(found).toEqual(name === undefined ? [] : [[name, nameFromArn]]);
  });
});

import { ACCOUNT_ID, tenant, written } from '../../support/lib/configuration';
import { faultsOf } from '../../support/lib/faults';

const keyIn = (region: string) => `arn:aws:kms:${region}:${ACCOUNT_ID}:key/mrk-1111`;

describe('replicaRegions', () => {
  it('may be in a configuration for the laptop', () => {
    const { deployments } = written({
      account: undefined,
      region: undefined,
      replicaRegions: ['eu-central-1'],
    });
    const loopback = {
      contentBaseUrl: 'https://127.0.0.1:1/a',
      contentTokenBaseUrl: 'https://127.0.0.1:1/b',
    };
    expect(faultsOf({ local: true, endpoints: { staging: { global: loopback } }, deployments })).toEqual([]);
  });

  it.each<[unknown, string]>([
    [[], ': found a list; allowed: at least one AWS region'],
    ['eu-central-1', ': found "eu-central-1"; allowed: a list of AWS regions'],
    [['eu-west-1'], '[0]: found "eu-west-1"; allowed: another region than the deployment’s'],
    [['us-east-1', 'us-east-1'], '[1]: found "us-east-1"; allowed: each region once'],
    [['cn-north-1'], '[0]: found "cn-north-1"; allowed: a region of aws, the partition of eu-west-1'],
    [
      [{ region: 'us-east-1', kmsKeyArn: keyIn('eu-west-1') }],
      `[0].kmsKeyArn: found "${keyIn('eu-west-1')}"; allowed: a key in us-east-1`,
    ],
    [
      ['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'sa-east-1', 'ca-west-1'],
      ': found a list; allowed: at most 5 AWS regions',
    ],
  ])('are not %j', (replicaRegions, fault) => {
    expect(faultsOf(written({ replicaRegions: replicaRegions as [] }))).toEqual([
      `deployments[0].replicaRegions${fault}`,
    ]);
  });

  it.each([{ readerAccounts: ['333344445555'] }, { readerOrganizations: ['o-a1b2c3d4e5'] }])(
    'need a key of their own for the tokens of others: %j',
    (readers) => {
      const tenants = [tenant('tenant-a', [{ interface: 'content', scope: 'api/read', ...readers }])];

      expect(faultsOf(written({ tenants, replicaRegions: ['eu-central-1'] }))).toEqual([
        'deployments[0].replicaRegions[0]: found "eu-central-1"; allowed: an object with region and kmsKeyArn, because tokens have readerAccounts or readerOrganizations and other accounts cannot use the AWS managed key',
      ]);
      const kmsKeyArn = keyIn('eu-central-1');
      expect(faultsOf(written({ tenants, replicaRegions: [{ region: 'eu-central-1', kmsKeyArn }] }))).toEqual(
        [],
      );
    },
  );
});

import { tenant, type WrittenDeployment, written } from '../../support/lib/configuration';
import { CERTIFICATE, WEB_ACL } from '../../support/lib/edge';
import { faultsOf } from '../../support/lib/faults';

const KEY = 'arn:aws:kms:eu-west-1:222233334444:key/0f0f0f0f-1111-2222-3333-444444444444';
const TOPIC = 'arn:aws:sns:eu-west-1:222233334444:pager';
const BOUNDARY = 'arn:aws:iam::222233334444:policy/team/boundary';
const READER = 'arn:aws:iam::222233334444:role/reader';
const SECRET = 'arn:aws:secretsmanager:eu-west-1:222233334444:secret:legacy/creds-AbCdEf';

/** A deployment with every kind of ARN. */
const DEPLOYMENT: Partial<WrittenDeployment> = {
  kmsKeyArn: KEY,
  permissionsBoundaryArn: BOUNDARY,
  alarms: { topicArn: TOPIC },
  secretReaders: { breakGlassRoleArn: READER, credentials: [READER], tokens: [READER] },
  restoreApi: { webAclArn: WEB_ACL, domain: { name: 'restore.example.org', certificateArn: CERTIFICATE } },
  tenants: [{ ...tenant('tenant-a'), adopt: { clientCredentials: { arn: SECRET, kmsKeyArn: KEY } } }],
  tags: { owner: 'arn:aws:iam::222233334444:role/team' },
};

/** The deployment in another region, with ARNs of that region and some partition. */
function faultsIn(region: string, partition: string): readonly string[] {
  const text = JSON.stringify({ ...DEPLOYMENT, region }).replaceAll('eu-west-1', region);
  const moved = JSON.parse(text.replaceAll('arn:aws:', `arn:${partition}:`)) as WrittenDeployment;
  return faultsOf(written({ ...moved, tags: DEPLOYMENT.tags }));
}

describe('the ARNs of a deployment', () => {
  it('may be of the region’s partition', () => {
    expect(faultsIn('cn-north-1', 'aws-cn')).toEqual([]);
  });

  it.each([
    ['cn-north-1', 'aws', 'aws-cn'],
    ['eu-west-1', 'aws-cn', 'aws'],
  ])('in %s may not be of the partition %s', (region, wrong, right) => {
    const faults = faultsIn(region, wrong);

    expect(faults.map((line) => line.slice(0, line.indexOf(':')))).toEqual([
      'deployments[0].tenants[0].adopt.clientCredentials.arn',
      'deployments[0].tenants[0].adopt.clientCredentials.kmsKeyArn',
      'deployments[0].restoreApi.webAclArn',
      'deployments[0].restoreApi.domain.certificateArn',
      'deployments[0].kmsKeyArn',
      'deployments[0].secretReaders.breakGlassRoleArn',
      'deployments[0].secretReaders.credentials[0]',
      'deployments[0].secretReaders.tokens[0]',
      'deployments[0].alarms.topicArn',
      'deployments[0].permissionsBoundaryArn',
    ]);
    expect(faults).toContain(
      `deployments[0].kmsKeyArn: found "${KEY.replace('arn:aws:', `arn:${wrong}:`).replace('eu-west-1', region)}"; ` +
        `allowed: an ARN of ${right}, the partition of ${region}`,
    );
  });

  it('may be of any partition if the region is not configured', () => {
    expect(
      faultsOf(written({ region: undefined, permissionsBoundaryArn: BOUNDARY.replace('aws', 'aws-cn') })),
    ).toEqual([]);
  });
});

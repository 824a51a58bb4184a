import { type PolicyDocument } from '../../local/account';
import { evaluatePolicies } from '../../local/iam/evaluate';
import { callerPolicy } from '../../prove/policy';

const arnsOf = (policy: ReturnType<typeof callerPolicy>) =>
  policy.Statement.flatMap(({ Resource }) => Resource).filter((resource) => resource !== '*');

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html (managed policies, without white space) */
const MOST_CHARACTERS = 6_144;

it('fits into a managed policy, for any account and region', () => {
  expect(JSON.stringify(callerPolicy()).length).toBeLessThan(MOST_CHARACTERS);
  expect(
    JSON.stringify(callerPolicy({ account: '123456789012', region: 'ap-southeast-7' })).length,
  ).toBeLessThan(MOST_CHARACTERS);
});

it('is for one account and region if they are named', () => {
  const policy = callerPolicy({ account: '123456789012', region: 'eu-west-1' });

  for (const arn of arnsOf(policy)) {
    expect(arn).toMatch(/^arn:aws:\w+:(eu-west-1)?:(123456789012)?:/);
  }
});

it.each([
  ['cn-north-1', 'aws-cn'],
  ['us-gov-west-1', 'aws-us-gov'],
  ['eu-west-1', 'aws'],
])('is for the partition of %s', (region, partition) => {
  const partitions = arnsOf(callerPolicy({ region })).map((arn) => arn.split(':')[1]);

  expect([...new Set(partitions)]).toEqual([partition]);
});

it('changes nothing that is not a run’s', () => {
  const READ = /:(Describe|Get|List)[A-Za-z]*$/;
  const others = callerPolicy()
    .Statement.filter(
      ({ Resource, Condition }) =>
        Condition === undefined &&
        [Resource].flat().some((arn) => !/prove-\*$|cdk-|API-Gateway-Execution-Logs_/.test(arn)),
    )
    .flatMap(({ Action }) => Action);

  expect(others.filter((action) => !READ.test(action))).toEqual(['apigateway:GET']);
});

/** Of a key that leaves the decision to the account's own policies. */
it('reads the settings that are checked before a run, by one statement only', () => {
  const { Statement } = callerPolicy({ account: '123456789012', region: 'eu-west-1' });
  const reads = [
    ['apigateway:GET', 'arn:aws:apigateway:eu-west-1::/account'],
    ['ssm:GetParameter', 'arn:aws:ssm:eu-west-1:123456789012:parameter/cdk-bootstrap/hnb659fds/version'],
  ] as const;
  const principal = {
    kind: 'role-session' as const,
    accountId: '123456789012',
    arn: 'arn:aws:sts::123456789012:assumed-role/caller/me',
    roleArn: 'arn:aws:iam::123456789012:role/caller',
    sessionName: 'me',
  };
  const isAllowed = (statements: typeof Statement) =>
    reads.map(([action, resource]) => {
      const document = { Version: '2012-10-17', Statement: statements } as unknown as PolicyDocument;
      const request = { principal, action, resource, resourceAccount: '123456789012' };
      return evaluatePolicies(request, { identity: [{ name: 'caller', document }] }).allowed;
    });

  expect(isAllowed(Statement)).toEqual([true, true]);
  expect(isAllowed(Statement.filter(({ Sid }) => Sid !== 'ReadSettings'))).toEqual([false, false]);
});

import { type ResourceType } from '../../src/template/resource-type';
import {
  accountWith,
  emptyAccount,
  POLICY,
  provision,
  provisionResources,
  roleFor,
} from '../../src/testing/stacks';

const parameter = (name: string, value: unknown): Record<string, unknown> => ({
  Type: 'AWS::SSM::Parameter',
  Properties: { Name: name, Type: 'String', Value: value },
});

test('creates resources after those they refer to, whatever their order in the template', () => {
  const { roles } = accountWith({
    Policy: ['AWS::IAM::Policy', { PolicyName: 'p', PolicyDocument: POLICY, Roles: [{ Ref: 'Role' }] }],
    Role: roleFor('lambda.amazonaws.com'),
  });

  expect([...roles.values()][0]?.inlinePolicies).toEqual([{ name: 'p', document: POLICY }]);
});

test('creates a resource after the one it names in DependsOn', () => {
  const created: string[] = [];
  const spy: ResourceType = {
    create: (_, { logicalId }) => (created.push(logicalId), { ref: logicalId, attributes: {} }),
  };

  provision(
    { Resources: { A: { Type: 'Spy', DependsOn: 'B' }, B: { Type: 'Spy' } } },
    { types: { Spy: spy } },
  );

  expect(created).toEqual(['B', 'A']);
});

test('names the cycle of resources that depend on each other', () => {
  const resources = { A: parameter('/a', { Ref: 'B' }), B: { ...parameter('/b', 'x'), DependsOn: ['A'] } };

  expect(() => provision({ Resources: resources })).toThrow(/stack app: circular dependency A → B → A/);
});

test('names an unknown resource type', () => {
  expect(() => provisionResources({ Bucket: ['AWS::S3::Bucket', {}] })).toThrow(
    /stack app, Bucket: unknown resource type AWS::S3::Bucket/,
  );
});

test('leaves out what is not supported, with what refers to it, and says why in one line', () => {
  const account = emptyAccount();
  const reasons: string[] = [];

  const { outputs } = provision(
    {
      Resources: {
        Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: { 'Fn::Fly': 1 } } },
        Reader: parameter('/mine', { Ref: 'Role' }),
        Other: parameter('/other', { Ref: 'Reader' }),
        Kept: parameter('/kept', 'x'),
      },
      Outputs: { Role: { Value: { Ref: 'Other' } }, Kept: { Value: { Ref: 'Kept' } } },
    },
    { account, omission: { onLeftOut: (reason) => reasons.push(reason) } },
  );

  expect(reasons).toEqual([
    expect.stringMatching(
      /^stack app, Role\.\S+: unknown intrinsic function Fn::Fly; .* \(AWS::IAM::Role\); with it Reader, Other$/,
    ),
  ]);
  expect([...account.parameters.keys()]).toEqual(['/kept']);
  expect(outputs).toEqual({ Kept: '/kept' });
});

test('gives resources of unknown types an id and every attribute, and names the types in one line', () => {
  const account = emptyAccount();
  const texts: string[] = [];
  const Cidr = { 'Fn::Cidr': [{ 'Fn::GetAtt': ['Vpc', 'CidrBlock'] }, 1, 8] };

  const { outputs } = provision(
    {
      Resources: {
        Vpc: { Type: 'AWS::EC2::VPC' },
        One: { Type: 'AWS::EC2::Subnet', Properties: { Cidr } },
        Other: { Type: 'AWS::EC2::Subnet' },
        Reader: parameter('/reader', { 'Fn::GetAtt': ['One', 'AvailabilityZone'] }),
      },
      Outputs: { Arn: { Value: { 'Fn::GetAtt': ['Vpc', 'VpcArn'] } } },
    },
    { account, omission: { onLeftOut: jest.fn() }, onInert: (text) => texts.push(text) },
  );

  expect(texts).toEqual(['stack app: no effect here: AWS::EC2::VPC, AWS::EC2::Subnet']);
  expect(account.parameters.get('/reader')?.value).toMatch(/^app-One-/);
  expect(outputs.Arn).toMatch(/^arn:aws:unknown:eu-west-1:111111111111:app-Vpc-/);
});

test('names once in a stack what has no effect here', () => {
  const texts: string[] = [];
  const Filter = { Type: 'AWS::Logs::SubscriptionFilter', Properties: { FilterPattern: '' } };

  provision({ Resources: { A: Filter, B: Filter } }, { onInert: (text) => texts.push(text) });

  expect(texts).toEqual(['stack app: AWS::Logs::SubscriptionFilter has no effect here']);
});

test('leaves out nothing that is needed', () => {
  const onLeftOut = jest.fn();
  const Resources = {
    Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: { 'Fn::Fly': 1 } } },
    Name: parameter('/name', { Ref: 'Role' }),
  };
  const needing = (...names: string[]) => ({ omission: { neededOf: () => new Set(names), onLeftOut } });

  expect(() => provision({ Resources }, needing('Role'))).toThrow('unknown intrinsic function Fn::Fly');
  expect(() => provision({ Resources }, needing('Name'))).toThrow(
    /^stack app, Name: needs Role, which is left out: .*Fn::Fly/,
  );
  expect(onLeftOut).not.toHaveBeenCalled();
});

test('names an unknown property of a known type, and one within it, which have no effect', () => {
  const account = emptyAccount();
  const texts: string[] = [];
  const Tags = [{ Key: 'a', Value: 'b', Fly: 1 }];
  const P = { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'a', Fly: { High: true }, Tags } };

  provision({ Resources: { P } }, { account, onInert: (text) => texts.push(text) });

  expect(account.secrets.named('a')?.tags).toEqual({ a: 'b' });
  expect(texts).toEqual([
    'stack app, P: Tags[0].Fly has no effect here',
    'stack app, P: Fly has no effect here',
  ]);
});

test('refuses an unknown element of a policy, which could allow more than was meant', () => {
  const role = roleFor('lambda.amazonaws.com', {
    Policies: [{ PolicyName: 'p', PolicyDocument: { Statement: [{ Effect: 'Allow', Fly: 1 }] } }],
  });
  expect(() => provisionResources({ R: role })).toThrow(
    /Policies\[0\]\.PolicyDocument\.Statement\[0\]: found "Fly"/,
  );
});

test('creates no resource whose condition is false, and no output for it', () => {
  const account = emptyAccount();

  const stack = provision(
    {
      Conditions: { Never: { 'Fn::Equals': ['a', 'b'] } },
      Resources: { A: { ...parameter('/a', 'x'), Condition: 'Never' }, B: parameter('/b', 'y') },
      Outputs: { A: { Value: { Ref: 'A' }, Condition: 'Never' }, B: { Value: { Ref: 'B' } } },
    },
    { account },
  );

  expect([...account.parameters.keys()]).toEqual(['/b']);
  expect(stack.outputs).toEqual({ B: '/b' });
});

test('reads SSM parameters that an earlier stack created', () => {
  const account = emptyAccount();
  provision(
    { Resources: { A: parameter('/shared/key-arn', 'arn-of-key') } },
    { account, stackName: 'first' },
  );

  provision(
    {
      Parameters: { Key: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/shared/key-arn' } },
      Resources: { B: parameter('/copy', { 'Fn::Sub': '${Key}!' }) },
    },
    { account, stackName: 'second' },
  );

  expect(account.parameters.get('/copy')?.value).toBe('arn-of-key!');
});

test('names a missing SSM parameter, unless nothing reads it', () => {
  const Parameters = {
    Boot: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/cdk-bootstrap/version' },
  };
  const Rules = { CheckBootstrapVersion: {} };

  provision({ Parameters, Rules, Resources: { A: parameter('/a', 'x') } });
  expect(() => provision({ Parameters, Resources: { A: parameter('/a', { Ref: 'Boot' }) } })).toThrow(
    /stack app: parameter Boot reads SSM parameter \/cdk-bootstrap\/version, which does not exist/,
  );
});

test('prefers parameter values of the assembly to defaults', () => {
  const account = emptyAccount();

  provision(
    {
      Parameters: { P: { Type: 'String', Default: 'default' } },
      Resources: { A: parameter('/a', { Ref: 'P' }) },
    },
    { account, parameters: { P: 'given' } },
  );

  expect(account.parameters.get('/a')?.value).toBe('given');
});

test('gives alarms and topics names that other resources can refer to', () => {
  const { parameters } = accountWith({
    Topic: ['AWS::SNS::Topic', {}],
    Alarm: [
      'AWS::CloudWatch::Alarm',
      {
        AlarmActions: [{ Ref: 'Topic' }],
        Namespace: 'N',
        MetricName: 'm',
        Statistic: 'Sum',
        Period: 60,
        EvaluationPeriods: 1,
        Threshold: 1,
        ComparisonOperator: 'GreaterThanThreshold',
      },
    ],
    Names: [
      'AWS::SSM::Parameter',
      { Name: '/a', Type: 'String', Value: { 'Fn::Sub': '${Topic} ${Alarm.Arn}' } },
    ],
  });

  expect(parameters.get('/a')?.value).toBe(
    'arn:aws:sns:eu-west-1:111111111111:app-Topic-XXXXXXXXXXXX arn:aws:cloudwatch:eu-west-1:111111111111:alarm:app-Alarm-XXXXXXXXXXXX',
  );
});

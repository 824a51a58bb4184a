import { accountWith, ENDPOINT_URL, NOW_MS, provisionResources } from '../../../src/testing/stacks';

describe('AWS::SQS resources', () => {
  test('give a queue a URL at the local endpoint, its key and its policy', () => {
    const policy = { Statement: [{ Effect: 'Deny', Principal: '*', Action: 'sqs:*', Resource: '*' }] };

    const { queues } = accountWith({
      Queue: ['AWS::SQS::Queue', { MessageRetentionPeriod: 1209600 }],
      Policy: ['AWS::SQS::QueuePolicy', { PolicyDocument: policy, Queues: [{ Ref: 'Queue' }] }],
    });

    expect([...queues.values()]).toEqual([
      {
        arn: 'arn:aws:sqs:eu-west-1:111111111111:app-Queue-XXXXXXXXXXXX',
        name: 'app-Queue-XXXXXXXXXXXX',
        url: `${ENDPOINT_URL}/111111111111/app-Queue-XXXXXXXXXXXX`,
        policy,
        messages: [],
      },
    ]);
  });

  test.each([{ KmsMasterKeyId: 'alias/app' }, { FifoQueue: true }])(
    'refuse a queue with %j',
    (properties) => {
      const [property] = Object.keys(properties);
      const reason = property === 'KmsMasterKeyId' ? 'no KMS key alias/app' : property;

      expect(() => provisionResources({ Queue: ['AWS::SQS::Queue', properties] })).toThrow(reason);
    },
  );
});

describe('AWS::SNS resources', () => {
  const policy = { Statement: [{ Effect: 'Deny', Principal: '*', Action: 'sns:Publish', Resource: '*' }] };

  test('give a topic its key, policy and subscriptions', () => {
    const account = accountWith({
      Key: ['AWS::KMS::Key', { KeyPolicy: policy }],
      Topic: ['AWS::SNS::Topic', { TopicName: 'pages', KmsMasterKeyId: { 'Fn::GetAtt': ['Key', 'Arn'] } }],
      Policy: ['AWS::SNS::TopicPolicy', { PolicyDocument: policy, Topics: [{ Ref: 'Topic' }] }],
      Mail: [
        'AWS::SNS::Subscription',
        { TopicArn: { Ref: 'Topic' }, Protocol: 'email', Endpoint: 'ops@example.com' },
      ],
    });

    const arn = 'arn:aws:sns:eu-west-1:111111111111:pages';
    expect([...account.topics.values()]).toEqual([
      {
        arn,
        name: 'pages',
        kmsKeyArn: [...account.keys.keys()][0],
        policy,
        subscriptions: [{ arn: `${arn}:XXXXXXXXXXXX`, protocol: 'email', endpoint: 'ops@example.com' }],
        messages: [],
      },
    ]);
  });

  test("accept the account's default key for topics, but no unknown key", () => {
    const withKey = (KmsMasterKeyId: string) =>
      accountWith({ Topic: ['AWS::SNS::Topic', { KmsMasterKeyId }] });

    expect([...withKey('alias/aws/sns').topics.values()]).toMatchObject([{ kmsKeyArn: 'alias/aws/sns' }]);
    expect(() => withKey('alias/none')).toThrow(/no KMS key alias\/none/);
  });

  const filtered = (FilterPolicy: unknown, FilterPolicyScope?: string) =>
    accountWith({
      Topic: ['AWS::SNS::Topic', {}],
      Mail: [
        'AWS::SNS::Subscription',
        {
          TopicArn: { Ref: 'Topic' },
          Protocol: 'email',
          Endpoint: 'ops@example.com',
          FilterPolicy,
          FilterPolicyScope,
        },
      ],
    });

  test.each<[object, object[]]>([
    [{ a: ['1'], b: ['2', '3'] }, [{ a: ['1'], b: ['2', '3'] }]],
    [{ $or: [{ a: ['1'] }, { b: ['2'] }] }, [{ a: ['1'] }, { b: ['2'] }]],
  ])('keep the filter policy %j of a subscription', (policyOfMail, anyOf) => {
    const [topic] = filtered(policyOfMail, 'MessageBody').topics.values();

    expect(topic?.subscriptions).toMatchObject([{ filter: anyOf }]);
  });

  test.each<[string, unknown, string | undefined]>([
    ['on attributes, which is the default', { a: ['1'] }, undefined],
    ['with an operator', { a: [{ prefix: '1' }] }, 'MessageBody'],
    ['with one alternative, which AWS takes for a field', { $or: [{ a: ['1'] }] }, 'MessageBody'],
  ])('reject a filter policy %s', (_, policyOfMail, scope) => {
    expect(() => filtered(policyOfMail, scope)).toThrow(/FilterPolicy/);
  });

  test.each<[string, [string, Record<string, unknown>]]>([
    ['a policy', ['AWS::SNS::TopicPolicy', { PolicyDocument: policy, Topics: ['arn:none'] }]],
    [
      'a subscription',
      ['AWS::SNS::Subscription', { TopicArn: 'arn:none', Protocol: 'email', Endpoint: 'e' }],
    ],
  ])('reject %s of an unknown topic', (_, resource) => {
    expect(() => provisionResources({ Resource: resource })).toThrow(/no topic arn:none/);
  });
});

describe('AWS::Scheduler::Schedule', () => {
  const target = {
    Arn: 'arn:aws:lambda:eu-west-1:111111111111:function:f',
    RoleArn: 'arn:aws:iam::111111111111:role/r',
  };
  const properties = {
    FlexibleTimeWindow: { Mode: 'OFF' },
    ScheduleExpression: 'rate(5 minutes)',
    Target: target,
  };

  // Amazon EventBridge Scheduler API Reference, RetryPolicy: 185 attempts and 86,400 seconds by default.
  test("has Scheduler's retry policy by default", () => {
    const { schedules } = accountWith({ Schedule: ['AWS::Scheduler::Schedule', properties] });

    expect([...schedules.values()]).toEqual([
      {
        arn: 'arn:aws:scheduler:eu-west-1:111111111111:schedule/default/app-Schedule-XXXXXXXXXXXX',
        name: 'app-Schedule-XXXXXXXXXXXX',
        expression: 'rate(5 minutes)',
        state: 'ENABLED',
        targetArn: target.Arn,
        roleArn: target.RoleArn,
        input: '{}',
        maximumRetryAttempts: 185,
        maximumEventAgeSec: 86_400,
        createdAtMs: NOW_MS,
        lastModifiedAtMs: NOW_MS,
      },
    ]);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'an unsupported expression',
      { ScheduleExpression: 'at(2026-01-01T00:00:00)' },
      /stack app, Schedule: schedule expression at/,
    ],
    ['another time zone', { ScheduleExpressionTimezone: 'Europe/Berlin' }, /ScheduleExpressionTimezone/],
    ['a flexible time window', { FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }, /FlexibleTimeWindow/],
    [
      'a target that is not a function',
      { Target: { ...target, Arn: 'arn:aws:sqs:eu-west-1:1:q' } },
      /only a Lambda function/,
    ],
  ])('refuses %s', (_, more, message) => {
    expect(() =>
      provisionResources({ Schedule: ['AWS::Scheduler::Schedule', { ...properties, ...more }] }),
    ).toThrow(message);
  });
});

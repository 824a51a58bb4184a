import { ENDPOINT_URL, emptyAccount, NOW_MS, provisionResources } from '../../../support/local/stacks';

describe('AWS::SQS resources', () => {
  test('give a queue an address at the local endpoint, its key and its policy', () => {
    const account = emptyAccount();
    const policy = { Statement: [{ Effect: 'Deny', Principal: '*', Action: 'sqs:*', Resource: '*' }] };

    provisionResources(
      {
        Queue: ['AWS::SQS::Queue', { MessageRetentionPeriod: 1209600 }],
        Policy: ['AWS::SQS::QueuePolicy', { PolicyDocument: policy, Queues: [{ Ref: 'Queue' }] }],
      },
      { account },
    );

    expect([...account.queues.values()]).toEqual([
      {
        arn: 'arn:aws:sqs:eu-west-1:111111111111:app-Queue-XXXXXXXXXXXX',
        name: 'app-Queue-XXXXXXXXXXXX',
        url: `${ENDPOINT_URL}/111111111111/app-Queue-XXXXXXXXXXXX`,
        policy,
        messages: [],
      },
    ]);
  });

  test('refuse a queue with a customer key, whose rights nothing here would check', () => {
    const Queue = ['AWS::SQS::Queue', { KmsMasterKeyId: 'alias/app' }] as const;

    expect(() => provisionResources({ Queue: [...Queue] })).toThrow(/KmsMasterKeyId/);
  });

  test('refuse a queue that keeps order', () => {
    expect(() => provisionResources({ Queue: ['AWS::SQS::Queue', { FifoQueue: true }] })).toThrow(
      /FifoQueue/,
    );
  });
});

describe('AWS::SNS resources', () => {
  const policy = { Statement: [{ Effect: 'Deny', Principal: '*', Action: 'sns:Publish', Resource: '*' }] };

  test('give a topic its key, policy and subscriptions', () => {
    const account = emptyAccount();

    provisionResources(
      {
        Key: ['AWS::KMS::Key', { KeyPolicy: policy }],
        Topic: ['AWS::SNS::Topic', { TopicName: 'pages', KmsMasterKeyId: { 'Fn::GetAtt': ['Key', 'Arn'] } }],
        Policy: ['AWS::SNS::TopicPolicy', { PolicyDocument: policy, Topics: [{ Ref: 'Topic' }] }],
        Mail: [
          'AWS::SNS::Subscription',
          { TopicArn: { Ref: 'Topic' }, Protocol: 'email', Endpoint: 'ops@example.com' },
        ],
      },
      { account },
    );

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

  test("know the account's own key for topics, and no other key that is not there", () => {
    const account = emptyAccount();
    const topic = (KmsMasterKeyId: string): [string, Record<string, unknown>] => [
      'AWS::SNS::Topic',
      { KmsMasterKeyId },
    ];

    provisionResources({ Topic: topic('alias/aws/sns') }, { account });

    expect([...account.topics.values()]).toMatchObject([{ kmsKeyArn: 'alias/aws/sns' }]);
    expect(() => provisionResources({ Topic: topic('alias/none') })).toThrow(/no KMS key alias\/none/);
  });

  test.each<[string, [string, Record<string, unknown>]]>([
    ['a policy', ['AWS::SNS::TopicPolicy', { PolicyDocument: policy, Topics: ['arn:none'] }]],
    [
      'a subscription',
      ['AWS::SNS::Subscription', { TopicArn: 'arn:none', Protocol: 'email', Endpoint: 'e' }],
    ],
  ])('refuse %s of a topic that is not there', (_, resource) => {
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
    const account = emptyAccount();

    provisionResources({ Schedule: ['AWS::Scheduler::Schedule', properties] }, { account });

    expect([...account.schedules.values()]).toEqual([
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
      'an expression it cannot run',
      { ScheduleExpression: 'at(2026-01-01T00:00:00)' },
      /stack app, Schedule: schedule expression at/,
    ],
    ['another time zone', { ScheduleExpressionTimezone: 'Europe/Berlin' }, /ScheduleExpressionTimezone/],
    ['a flexible time window', { FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }, /FlexibleTimeWindow/],
    [
      'a target that is no function',
      { Target: { ...target, Arn: 'arn:aws:sqs:eu-west-1:1:q' } },
      /only a Lambda function/,
    ],
  ])('refuses %s', (_, more, message) => {
    expect(() =>
      provisionResources({ Schedule: ['AWS::Scheduler::Schedule', { ...properties, ...more }] }),
    ).toThrow(message);
  });
});

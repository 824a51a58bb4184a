import { ENDPOINT_URL, emptyAccount, provisionResources } from '../../../support/local/stacks';

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

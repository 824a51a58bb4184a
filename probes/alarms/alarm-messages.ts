import { InvokeCommand } from '@aws-sdk/client-lambda';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';

import { alarm, alarmName, minutesUntil, runs } from '../alarm';
import { plainFunction } from '../plain-function';
import { notRun, type Probe, verdictOf } from '../probe';
import { type System } from '../system';
import { allow, arnOf, outputs, policy, tagsOf, withStack } from '../templates';

/** CloudWatch evaluates and the topic delivers within some minutes. */
const CHANGED_SEC = 600;
const DELIVERED_SEC = 30;
const WAIT_SEC = 2;

/** As Latchkey's subscriptions have it. */
const FilterPolicy = { $or: [{ NewStateValue: ['ALARM'] }, { OldStateValue: ['ALARM'] }] };

export const alarmMessages: Probe = {
  id: 'alarm-messages',
  group: 'alarms',
  subject: "A filter policy with `$or` on the body of an alarm's message",
  reliedOn: 'messages about a fault and its end, none about the first OK of a new alarm',
  otherwise: 'too many e-mails, or none',
  sources: [
    'https://docs.aws.amazon.com/sns/latest/dg/and-or-logic.html',
    'https://docs.aws.amazon.com/sns/latest/dg/sns-message-filtering-scope.html',
  ],
  slow: true,
  look: (system) =>
    withStack(system, templateOf(system), async ({ FunctionArn: FunctionName, AllUrl, FilteredUrl }) => {
      const name = alarmName(system, 'notifies');
      const changesTo = (state: string) => minutesUntil(system, name, state, CHANGED_SEC);
      await changesTo('OK');
      await system.aws.lambda.send(new InvokeCommand({ FunctionName }));
      const isOver = (await changesTo('ALARM')) !== undefined && (await changesTo('OK')) !== undefined;
      if (!isOver) return notRun('the alarm did not go into alarm and back');

      await system.time.pass(DELIVERED_SEC);
      const [all, filtered] = [await messagesIn(system, AllUrl), await messagesIn(system, FilteredUrl)];
      if (all.length === 0) return notRun('the topic delivered no message to a queue');
      return verdictOf(
        filtered.join() === 'ALARM,OK' && all.includes('OK'),
        `all: ${all.join(', ')}; filtered: ${filtered.join(', ') || 'none'}`,
      );
    }),
};

function templateOf(system: System): object {
  const subscription = (queue: string, more: object = {}) => ({
    Type: 'AWS::SNS::Subscription',
    Properties: { TopicArn: { Ref: 'Topic' }, Protocol: 'sqs', Endpoint: arnOf(queue), ...more },
  });
  const queue = { Type: 'AWS::SQS::Queue', Properties: { Tags: tagsOf(system) } };
  const fromTopic = { ArnEquals: { 'aws:SourceArn': { Ref: 'Topic' } } };
  const publisher = { Service: 'cloudwatch.amazonaws.com' };
  return {
    Resources: {
      ...plainFunction(system, 'exports.handler = async () => {};'),
      Topic: { Type: 'AWS::SNS::Topic', Properties: { Tags: tagsOf(system) } },
      TopicPolicy: {
        Type: 'AWS::SNS::TopicPolicy',
        Properties: {
          Topics: [{ Ref: 'Topic' }],
          PolicyDocument: policy([{ ...allow(['sns:Publish'], { Ref: 'Topic' }), Principal: publisher }]),
        },
      },
      ...{ All: queue, Filtered: queue },
      QueuePolicy: {
        Type: 'AWS::SQS::QueuePolicy',
        Properties: {
          Queues: [{ Ref: 'All' }, { Ref: 'Filtered' }],
          PolicyDocument: policy([
            { ...allow(['sqs:SendMessage'], '*', fromTopic), Principal: { Service: 'sns.amazonaws.com' } },
          ]),
        },
      },
      ToAll: subscription('All'),
      ToFiltered: subscription('Filtered', { FilterPolicy, FilterPolicyScope: 'MessageBody' }),
      Alarm: {
        ...alarm(system, 'notifies', {
          ...runs({ Ref: 'Function' }, 60),
          ...{ AlarmActions: [{ Ref: 'Topic' }], OKActions: [{ Ref: 'Topic' }] },
        }),
        DependsOn: ['TopicPolicy', 'QueuePolicy', 'ToAll', 'ToFiltered'],
      },
    },
    Outputs: outputs({
      FunctionArn: arnOf('Function'),
      ...{ AllUrl: { Ref: 'All' }, FilteredUrl: { Ref: 'Filtered' } },
    }),
  };
}

/** The new states in a queue's messages, in the order of the changes. */
async function messagesIn({ aws }: System, QueueUrl: string | undefined): Promise<string[]> {
  const changes: { NewStateValue: string; StateChangeTime: string }[] = [];
  for (;;) {
    const { Messages = [] } = await aws.sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: WAIT_SEC }),
    );
    if (Messages.length === 0) break;
    for (const { Body = '{}' } of Messages) {
      const { Message = '{}' } = JSON.parse(Body) as { Message?: string };
      changes.push(JSON.parse(Message) as (typeof changes)[number]);
    }
  }
  return changes
    .sort((a, b) => Date.parse(a.StateChangeTime) - Date.parse(b.StateChangeTime))
    .map(({ NewStateValue }) => NewStateValue);
}

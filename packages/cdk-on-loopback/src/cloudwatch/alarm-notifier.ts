import { randomUUID } from 'node:crypto';
import { type Account, type PolicyDocument, type Topic } from '../account';
import { requireAllowed } from '../iam/authorize';
import { servicePrincipal } from '../iam/principal';
import { type QueueSender, type Reporter } from '../interfaces';
import { type Alarms } from './account-alarms';
import { type AlarmTransition } from './alarm-state';

const MAX_STORED_MESSAGES = 1000;

interface AlarmNotifierOptions {
  account: Account;
  alarms: Alarms;
  reporter: Reporter;
  queueSender: QueueSender;
}

/**
 * Publishes alarm transitions to their topics, if CloudWatch may publish there. Reports a failure as a warning too: AWS
 * shows it only in the alarm's history.
 * @see Amazon SNS Developer Guide, "Enable compatibility between event sources from AWS services and encrypted topics"
 */
export function notifyTopics(options: AlarmNotifierOptions): void {
  const { alarms, reporter } = options;
  alarms.onTransition((transition) => {
    for (const topicArn of transition.topicArns) {
      const refusal = publish(options, transition, topicArn);
      alarms.history.actionTaken(transition, topicArn, refusal);
      if (refusal !== undefined)
        reporter.warning(`alarm ${transition.alarm.name} could not notify ${topicArn}: ${refusal}`);
    }
  });
}

/** @returns why the message was not published, in AWS's words where known */
function publish(
  options: AlarmNotifierOptions,
  transition: AlarmTransition,
  topicArn: string,
): string | undefined {
  const { account } = options;
  const topic = account.topics.get(topicArn);
  if (!topic) return 'Topic does not exist';
  const refusal = publishRefusal(account, transition.alarm.arn, topic);
  if (refusal !== undefined) return refusal;
  deliver(options, topic, transition);
  return undefined;
}

/** Stores the message in the topic, and sends it to the queues that subscribe to it. */
function deliver(
  options: AlarmNotifierOptions,
  topic: Topic,
  { alarm, previousState, atMs }: AlarmTransition,
): void {
  const { account } = options;
  const fields = {
    AlarmName: alarm.name,
    AlarmDescription: alarm.description,
    AWSAccountId: account.accountId,
    NewStateValue: alarm.state,
    NewStateReason: alarm.reason,
    StateChangeTime: new Date(atMs).toISOString(),
    Region: account.region,
    AlarmArn: alarm.arn,
    OldStateValue: previousState,
  };
  const subscriptions = topic.subscriptions.filter((subscription) => accepts(subscription, fields));
  const message = {
    messageId: randomUUID(),
    publishedAtMs: atMs,
    subject: `${alarm.state}: "${alarm.name}" in ${account.region}`,
    message: JSON.stringify(fields),
    recipients: subscriptions.map(({ endpoint }) => endpoint),
  };
  topic.messages.push(message);
  if (topic.messages.length > MAX_STORED_MESSAGES) topic.messages.shift();
  for (const { protocol, endpoint } of subscriptions)
    if (protocol === 'sqs') sendToQueue(options, topic, message, endpoint);
}

/**
 * Sends a message to a queue, if SNS may send there. A message that the queue refuses is lost.
 * @see https://docs.aws.amazon.com/sns/latest/dg/subscribe-sqs-queue-to-sns-topic.html
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-message-delivery-retries.html (client-side errors are not retried)
 */
function sendToQueue(
  { account, queueSender, reporter }: AlarmNotifierOptions,
  { arn: topicArn }: Topic,
  { messageId, publishedAtMs, subject, message }: Topic['messages'][number],
  queueArn: string,
): void {
  const body = {
    Type: 'Notification',
    MessageId: messageId,
    TopicArn: topicArn,
    Subject: subject,
    Message: message,
    Timestamp: new Date(publishedAtMs).toISOString(),
  };
  try {
    queueSender.send(
      servicePrincipal('sns.amazonaws.com', topicArn, account),
      queueArn,
      JSON.stringify(body),
    );
  } catch (error) {
    reporter.warning(`topic ${topicArn} could not deliver to ${queueArn}: ${(error as Error).message}`);
  }
}

/** @see https://docs.aws.amazon.com/sns/latest/dg/sns-subscription-filter-policies.html */
function accepts({ filter }: Topic['subscriptions'][number], fields: Record<string, string>): boolean {
  if (filter === undefined) return true;
  return filter.some((condition) =>
    Object.entries(condition).every(([field, values]) => values.includes(fields[field] ?? '')),
  );
}

/** @returns why CloudWatch may not publish to the topic, or not use its key; undefined if it may */
function publishRefusal(account: Account, alarmArn: string, topic: Topic): string | undefined {
  const caller = { account, principal: servicePrincipal('cloudwatch.amazonaws.com', alarmArn, account) };
  const { kmsKeyArn } = topic;
  try {
    const resourcePolicy = topic.policy ?? DEFAULT_TOPIC_POLICY;
    requireAllowed(caller, { action: 'sns:Publish', resource: topic.arn, resourcePolicy });
    if (kmsKeyArn === undefined) return undefined;
    const keyPolicy = account.keys.get(kmsKeyArn)?.policy;
    for (const action of ['kms:Decrypt', 'kms:GenerateDataKey'])
      requireAllowed(caller, { action, resource: kmsKeyArn, resourcePolicy: keyPolicy });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The part of SNS's default topic policy that lets the account's alarms publish. @see Amazon SNS Developer Guide, "Example cases" */
const DEFAULT_TOPIC_POLICY: PolicyDocument = {
  Statement: { Effect: 'Allow', Principal: '*', Action: 'sns:Publish', Resource: '*' },
};

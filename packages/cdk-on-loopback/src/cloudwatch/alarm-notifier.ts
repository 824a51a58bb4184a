import { randomUUID } from 'node:crypto';
import { type Account, type PolicyDocument, type Topic } from '../account';
import { requireAllowed } from '../iam/authorize';
import { servicePrincipal } from '../iam/principal';
import { type QueueSender, type Reporter } from '../interfaces';
import { type Alarms } from './account-alarms';
import { type AlarmTransition } from './alarm-state';

const KEPT_MESSAGES = 1000;

interface AlarmNotifierOptions {
  account: Account;
  alarms: Alarms;
  reporter: Reporter;
  queueSender: QueueSender;
}

/**
 * Publishes alarm transitions to their topics, with the permissions that CloudWatch has there. A failure also becomes a
 * warning; AWS shows it in the alarm's history only.
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
  const { alarm, previousState, atMs } = transition;
  const topic = account.topics.get(topicArn);
  if (!topic) return 'Topic does not exist';
  const refusal = refusalFor(account, alarm.arn, topic);
  if (refusal !== undefined) return refusal;
  const message = {
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
  const receiving = topic.subscriptions.filter((one) => accepts(one, message));
  const published = {
    messageId: randomUUID(),
    publishedAtMs: atMs,
    subject: `${alarm.state}: "${alarm.name}" in ${account.region}`,
    message: JSON.stringify(message),
    recipients: receiving.map(({ endpoint }) => endpoint),
  };
  topic.messages.push(published);
  if (topic.messages.length > KEPT_MESSAGES) topic.messages.shift();
  for (const { protocol, endpoint } of receiving)
    if (protocol === 'sqs') sendToQueue(options, topic, published, endpoint);
  return undefined;
}

/**
 * With the permissions that SNS has at the queue. A message that the queue refuses is lost.
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
function accepts({ filter }: Topic['subscriptions'][number], message: Record<string, string>): boolean {
  if (filter === undefined) return true;
  return filter.some((condition) =>
    Object.entries(condition).every(([field, values]) => values.includes(message[field] ?? '')),
  );
}

function refusalFor(account: Account, alarmArn: string, topic: Topic): string | undefined {
  const caller = { account, principal: servicePrincipal('cloudwatch.amazonaws.com', alarmArn, account) };
  const { kmsKeyArn } = topic;
  try {
    const resourcePolicy = topic.policy ?? OWN_ACCOUNT_MAY_PUBLISH;
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

/** SNS's default topic policy, as far as it concerns the account's alarms. @see Amazon SNS Developer Guide, "Example cases" */
const OWN_ACCOUNT_MAY_PUBLISH: PolicyDocument = {
  Statement: { Effect: 'Allow', Principal: '*', Action: 'sns:Publish', Resource: '*' },
};

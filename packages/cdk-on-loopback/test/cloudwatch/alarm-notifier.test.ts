import { type PolicyStatement, type Queue, type QueueMessage, type Topic } from '../../src/account';
import { LocalQueueSender } from '../../src/aws/sqs-service';
import { notifyTopics } from '../../src/cloudwatch/alarm-notifier';
import { Alarms } from '../../src/cloudwatch/account-alarms';
import { MetricStore } from '../../src/cloudwatch/metric-store';
import { RecordingReporter } from '../../src/testing/recording-reporter';
import { emptyAccount, NOW_MS } from '../../src/testing/stacks';
import { compositeAlarm, TOPIC_ARN } from './alarm-definitions';
import { admitting, allow } from '../support/policies';

const KEY_ARN = 'arn:aws:kms:eu-west-1:111111111111:key/0000';
const QUEUE_ARN = 'arn:aws:sqs:eu-west-1:111111111111:messages';
const CLOUDWATCH = { Service: 'cloudwatch.amazonaws.com' };
const SCHEDULER = { Service: 'scheduler.amazonaws.com' };
const OWN_ALARMS = {
  StringEquals: { 'aws:SourceAccount': '111111111111' },
  ArnLike: { 'aws:SourceArn': 'arn:aws:cloudwatch:eu-west-1:111111111111:alarm:latchkey-staging-mea/*' },
};
const MAY_PUBLISH = { ...allow('sns:Publish', TOPIC_ARN, OWN_ALARMS), Principal: CLOUDWATCH };
const NO_PLAIN_HTTP: PolicyStatement = {
  Effect: 'Deny',
  Principal: '*',
  Action: 'sns:Publish',
  Resource: TOPIC_ARN,
  Condition: { Bool: { 'aws:SecureTransport': 'false' } },
};
const MAY_ENCRYPT = {
  ...allow(['kms:Decrypt', 'kms:GenerateDataKey*'], '*', OWN_ALARMS),
  Principal: CLOUDWATCH,
};

interface Given {
  topic?: Partial<Topic>;
  keyStatement?: PolicyStatement;
  alarmName?: string;
  /** Of the queue that subscribes. */
  queue?: Pick<Queue, 'policy'>;
}

/** One alarm that is in ALARM from the first evaluation on. */
const alarmed = (given: Given = {}) => {
  const { topic = {}, keyStatement = MAY_ENCRYPT, alarmName = 'latchkey-staging-mea/tokens' } = given;
  const account = emptyAccount();
  account.keys.set(KEY_ARN, { arn: KEY_ARN, policy: { Statement: keyStatement } });
  const pages: Topic = {
    arn: TOPIC_ARN,
    name: 'pages',
    kmsKeyArn: KEY_ARN,
    policy: { Statement: [MAY_PUBLISH, NO_PLAIN_HTTP] },
    subscriptions: [],
    messages: [],
    ...topic,
  };
  account.topics.set(pages.arn, pages);
  const alarms = new Alarms(new MetricStore());
  const reporter = new RecordingReporter();
  const queue = { arn: QUEUE_ARN, messages: [] as QueueMessage[], ...given.queue };
  account.queues.set(QUEUE_ARN, queue as unknown as Queue);
  const queueSender = new LocalQueueSender(account, { nowMs: () => NOW_MS });
  notifyTopics({ account, alarms, reporter, queueSender });
  alarms.add(
    { ...compositeAlarm(alarmName, 'TRUE'), description: 'Tokens end. Callers fail. Run `latchkey doctor`.' },
    NOW_MS,
  );
  alarms.evaluate(NOW_MS);
  const actions = alarms.history.items().filter(({ type }) => type === 'Action');
  return { pages, reporter, actions, queue };
};

test('publishes an alarm with its name, state and description', () => {
  const { pages, reporter, actions } = alarmed();

  expect(pages.messages).toHaveLength(1);
  expect(pages.messages[0]).toMatchObject({
    publishedAtMs: NOW_MS,
    subject: 'ALARM: "latchkey-staging-mea/tokens" in eu-west-1',
  });
  expect(JSON.parse(pages.messages[0]!.message)).toMatchObject({
    AlarmName: 'latchkey-staging-mea/tokens',
    AlarmDescription: 'Tokens end. Callers fail. Run `latchkey doctor`.',
    OldStateValue: 'INSUFFICIENT_DATA',
    NewStateValue: 'ALARM',
    StateChangeTime: new Date(NOW_MS).toISOString(),
  });
  expect(reporter.warnings).toEqual([]);
  expect(actions.map(({ summary }) => summary)).toEqual([`Successfully executed action ${TOPIC_ARN}`]);
});

test.each<[string, Partial<Topic>]>([
  ["without a policy, by SNS's own for the account", { policy: undefined }],
  ['without encryption', { kmsKeyArn: undefined }],
])('publishes to a topic %s', (_, topic) => {
  expect(alarmed({ topic }).pages.messages).toHaveLength(1);
});

test.each<[string, Given, RegExp]>([
  [
    'a topic whose policy allows another service',
    { topic: { policy: { Statement: { ...MAY_PUBLISH, Principal: SCHEDULER } } } },
    /sns:Publish on resource: .*:pages/,
  ],
  ["another deployment's alarm", { alarmName: 'latchkey-production-mea/tokens' }, /sns:Publish/],
  [
    'a key that does not allow CloudWatch',
    { keyStatement: { ...MAY_ENCRYPT, Principal: SCHEDULER } },
    /kms:Decrypt on resource: .*key\/0000/,
  ],
  [
    'a key that CloudWatch may only decrypt with',
    { keyStatement: { ...MAY_ENCRYPT, Action: 'kms:Decrypt' } },
    /kms:GenerateDataKey on resource/,
  ],
  ["the account's own key for topics", { topic: { kmsKeyArn: 'alias/aws/sns' } }, /kms:Decrypt/],
  ['an unknown topic', { topic: { arn: `${TOPIC_ARN}-other` } }, /not exist/],
])('warns, and records in the history, that it is denied by %s', (_, given, reason) => {
  const { pages, reporter, actions } = alarmed(given);

  expect(pages.messages).toEqual([]);
  expect(reporter.warnings).toEqual([expect.stringMatching(reason)]);
  expect(actions.map(({ summary }) => summary)).toEqual([expect.stringMatching(/^Failed to execute action/)]);
});

test.each<[string, string, number]>([
  ['delivers to a queue whose policy allows the topic', TOPIC_ARN, 1],
  ['warns of a queue whose policy allows another topic', `${TOPIC_ARN}-other`, 0],
])('%s', (_, sourceArn, delivered) => {
  const subscriptions = [{ arn: `${TOPIC_ARN}:1`, protocol: 'sqs', endpoint: QUEUE_ARN }];
  const { pages, queue, reporter } = alarmed({
    topic: { subscriptions },
    queue: { policy: admitting('sns.amazonaws.com', 'sqs:SendMessage', QUEUE_ARN, sourceArn) },
  });

  expect(queue.messages.map(({ body }) => JSON.parse(body) as object)).toEqual(
    pages.messages.slice(0, delivered).map(
      ({ message }) =>
        expect.objectContaining({
          Type: 'Notification',
          TopicArn: TOPIC_ARN,
          Message: message,
        }) as object,
    ),
  );
  expect(reporter.warnings).toHaveLength(1 - delivered);
});

test.each<[string, Topic['subscriptions'][number]['filter'], string[]]>([
  ['every subscription without a filter', undefined, ['ops@example.com']],
  [
    'one whose filter allows all its fields',
    [{ NewStateValue: ['OK', 'ALARM'], Region: ['eu-west-1'] }],
    ['ops@example.com'],
  ],
  [
    'one with a filter of which one alternative holds',
    [{ Region: ['x'] }, { NewStateValue: ['ALARM'] }],
    ['ops@example.com'],
  ],
  ['none whose filter excludes a value', [{ NewStateValue: ['ALARM'], Region: ['x'] }], []],
  ['none whose filter names a field that is missing', [{ Color: ['red'] }], []],
])('delivers to %s', (_, filter, recipients) => {
  const mail = { arn: `${TOPIC_ARN}:1`, protocol: 'email', endpoint: 'ops@example.com', filter };

  expect(alarmed({ topic: { subscriptions: [mail] } }).pages.messages).toMatchObject([{ recipients }]);
});

test('keeps the last thousand messages of a topic', () => {
  const earlier = { messageId: 'm', publishedAtMs: 0, subject: '', message: '', recipients: [] };
  const messages = Array.from({ length: 1000 }, () => earlier);

  const { pages } = alarmed({ topic: { messages } });

  expect(pages.messages).toHaveLength(1000);
  expect(pages.messages.at(-1)?.publishedAtMs).toBe(NOW_MS);
});

import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { type Queue } from '../../src/account';
import { LocalQueueSender } from '../../src/aws/sqs-service';
import { type Principal } from '../../src/iam/principal';
import { ACCOUNT_ID, expectDenied, LocalAws, refusalOf } from '../../src/testing/local-aws';
import { admitting, allow } from '../support/policies';

let aws: LocalAws;
let queue: Queue;
let QueueUrl: string;

beforeEach(async () => {
  aws = new LocalAws();
  queue = aws.addQueue('dead-letters');
  await aws.start();
  QueueUrl = `${aws.url}/${ACCOUNT_ID}/dead-letters`;
});
afterEach(() => aws.stop());

const send = (MessageBody: string) => aws.sqs().send(new SendMessageCommand({ QueueUrl, MessageBody }));
const receive = async (part: object = {}) =>
  (await aws.sqs().send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20, ...part }))).Messages ??
  [];
const depth = async () =>
  (
    await aws
      .sqs()
      .send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }))
  ).Attributes?.ApproximateNumberOfMessages;

it('sends, receives and deletes a message', async () => {
  await send('hellö');
  const [message] = await receive();
  expect(message?.Body).toBe('hellö');

  await aws.sqs().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle }));

  expect(queue.messages).toEqual([]);
});

it('hides a received message for its visibility timeout', async () => {
  await send('one');
  await receive({ VisibilityTimeout: 60 });
  expect(await receive()).toEqual([]);
  expect(await depth()).toBe('0');

  aws.clock.advanceMs(60_000);

  expect(await receive()).toHaveLength(1);
});

it('carries string message attributes', async () => {
  await aws.sqs().send(
    new SendMessageCommand({
      QueueUrl,
      MessageBody: 'x',
      MessageAttributes: { ERROR_CODE: { DataType: 'String', StringValue: 'Denied' } },
    }),
  );

  expect((await receive({ VisibilityTimeout: 0 }))[0]?.MessageAttributes).toBeUndefined();
  expect((await receive({ MessageAttributeNames: ['All'] }))[0]?.MessageAttributes).toEqual({
    ERROR_CODE: { DataType: 'String', StringValue: 'Denied' },
  });
});

it('finds a queue by name and by URL, and reports an unknown one', async () => {
  const found = await aws.sqs().send(new GetQueueUrlCommand({ QueueName: 'dead-letters' }));
  expect(found.QueueUrl).toBe(QueueUrl);

  const refusal = await refusalOf(aws.sqs().send(new GetQueueUrlCommand({ QueueName: 'other' })));

  expect(refusal).toBeInstanceOf(QueueDoesNotExist);
});

it('denies a role without permissions', () =>
  expectDenied(
    aws.sqs(aws.roleKey()).send(new ReceiveMessageCommand({ QueueUrl })),
    'sqs:ReceiveMessage',
    queue.arn,
  ));

describe('LocalQueueSender', () => {
  const scheduler: Principal = {
    kind: 'service',
    service: 'scheduler.amazonaws.com',
    sourceArn: `arn:aws:scheduler:eu-west-1:${ACCOUNT_ID}:schedule/default/sweep`,
    sourceAccount: ACCOUNT_ID,
  };

  it('sends a message for a service that the queue policy allows', async () => {
    queue.policy = admitting('scheduler.amazonaws.com', 'sqs:SendMessage', queue.arn);

    new LocalQueueSender(aws.account, aws.clock).send(scheduler, queue.arn, 'body', { ERROR_CODE: 'x' });

    expect(queue.messages).toMatchObject([{ body: 'body', attributes: { ERROR_CODE: 'x' } }]);
  });

  it('rejects a sender that may not use the queue’s customer managed key', () => {
    const arn = `arn:aws:kms:eu-west-1:${ACCOUNT_ID}:key/of-the-queue`;
    const Principal = { AWS: `arn:aws:iam::${ACCOUNT_ID}:root` };
    const policyOf = (action: string) => ({ Statement: { ...allow(action), Principal } });
    aws.account.keys.set(arn, { arn, policy: policyOf('kms:GenerateDataKey') });
    queue.kmsKeyArn = arn;
    const send = () =>
      new LocalQueueSender(aws.account, aws.clock).send(aws.administrator.principal, queue.arn, 'body');

    expect(send).toThrow('not authorized to perform: kms:Decrypt');
    aws.account.keys.set(arn, { arn, policy: policyOf('kms:*') });

    expect(send).not.toThrow();
    expect(queue.messages).toHaveLength(1);
  });

  it('rejects a service that the queue policy does not allow, and an unknown queue', () => {
    const sender = new LocalQueueSender(aws.account, aws.clock);

    expect(() => sender.send(scheduler, queue.arn, 'body')).toThrow(
      'User: scheduler.amazonaws.com is not authorized to perform: sqs:SendMessage',
    );
    expect(() => sender.send(aws.administrator.principal, `${queue.arn}2`, 'body')).toThrow('does not exist');
    expect(queue.messages).toEqual([]);
  });
});

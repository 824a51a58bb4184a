import { createHash, randomUUID } from 'node:crypto';
import { type Account, type Queue, type QueueMessage } from '../account';
import { type Principal } from '../iam/principal';
import { type Clock, type QueueSender } from '../interfaces';
import { requireAllowed } from '../iam/authorize';
import { AwsError } from './aws-error';
import { type Input } from './input';
import { type Call, type Operations } from './operation';

const DEFAULT_VISIBILITY_SEC = 30;
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** Sends messages to the account's queues, for services and functions in this process. */
export class LocalQueueSender implements QueueSender {
  private readonly account: Account;
  private readonly clock: Clock;

  constructor(account: Account, clock: Clock) {
    this.account = account;
    this.clock = clock;
  }

  /** @throws {AwsError} AccessDeniedException or QueueDoesNotExist */
  send(
    principal: Principal,
    queueArn: string,
    body: string,
    attributes: Record<string, string> = {},
  ): { messageId: string } {
    const queue = this.account.queues.get(queueArn);
    requireAllowed(
      { account: this.account, principal },
      { action: 'sqs:SendMessage', resource: queueArn, resourcePolicy: queue?.policy },
    );
    if (!queue) throw noQueue();
    this.requireKey(principal, queue);
    const nowMs = this.clock.nowMs();
    const message = { messageId: randomUUID(), body, attributes, sentAtMs: nowMs, visibleAtMs: nowMs };
    queue.messages.push(message);
    return { messageId: message.messageId };
  }

  /** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html */
  private requireKey(principal: Principal, { kmsKeyArn, arn }: Queue): void {
    if (kmsKeyArn === undefined) return;
    const { account } = this;
    const resourcePolicy = account.keys.get(kmsKeyArn)?.policy;
    const context = {
      'kms:ViaService': `sqs.${account.region}.amazonaws.com`,
      'kms:EncryptionContext:aws:sqs:arn': arn,
    };
    for (const action of ['kms:GenerateDataKey', 'kms:Decrypt'])
      requireAllowed({ account, principal }, { action, resource: kmsKeyArn, resourcePolicy, context });
  }
}

export const SQS_OPERATIONS: Operations = {
  /** @see SQS API reference, API_SendMessage; message attributes must be strings */
  SendMessage: {
    parameters: ['QueueUrl', 'MessageBody', 'MessageAttributes'],
    run(input, call) {
      const body = input.text('MessageBody');
      if (Buffer.byteLength(body) > MAX_MESSAGE_BYTES) {
        throw new AwsError(
          'InvalidParameterValue',
          `A message must be shorter than ${MAX_MESSAGE_BYTES} bytes.`,
        );
      }
      const attributes = [...(input.optionalMap('MessageAttributes') ?? [])].map(([name, attribute]) => {
        if (attribute.text('DataType') === 'String') return [name, attribute.text('StringValue')] as const;
        throw new AwsError(
          'UnsupportedOperation',
          'the local endpoint supports only message attributes of type String',
        );
      });
      const sender = new LocalQueueSender(call.account, call.clock);
      const sent = sender.send(call.principal, queueArn(input, call), body, Object.fromEntries(attributes));
      return { MessageId: sent.messageId, MD5OfMessageBody: md5(body) };
    },
  },

  /** @see SQS API reference, API_ReceiveMessage; it ignores WaitTimeSeconds and never waits */
  ReceiveMessage: {
    parameters: [
      'QueueUrl',
      'MaxNumberOfMessages',
      'VisibilityTimeout',
      'WaitTimeSeconds',
      'MessageAttributeNames',
    ],
    run(input, call) {
      const count = input.optionalInteger('MaxNumberOfMessages', { min: 1, max: 10 }) ?? 1;
      const hiddenSec =
        input.optionalInteger('VisibilityTimeout', { min: 0, max: 43_200 }) ?? DEFAULT_VISIBILITY_SEC;
      const names = input.optionalTexts('MessageAttributeNames') ?? [];
      const queue = openQueue(input, call, 'ReceiveMessage');
      const nowMs = call.clock.nowMs();
      const received = queue.messages.filter(({ visibleAtMs }) => visibleAtMs <= nowMs).slice(0, count);
      for (const message of received) {
        message.receiptHandle = randomUUID();
        message.visibleAtMs = nowMs + hiddenSec * 1000;
      }
      return { Messages: received.map((message) => describeMessage(message, names)) };
    },
  },

  DeleteMessage: {
    parameters: ['QueueUrl', 'ReceiptHandle'],
    run(input, call) {
      const handle = input.text('ReceiptHandle');
      const queue = openQueue(input, call, 'DeleteMessage');
      queue.messages = queue.messages.filter(({ receiptHandle }) => receiptHandle !== handle);
      return {};
    },
  },

  GetQueueUrl: {
    parameters: ['QueueName', 'QueueOwnerAWSAccountId'],
    run(input, call) {
      const name = input.text('QueueName', { max: 80 });
      const owner = input.optionalText('QueueOwnerAWSAccountId') ?? call.account.accountId;
      openQueueByArn(call.account.arn('sqs', name, owner), call, 'GetQueueUrl');
      return { QueueUrl: `${call.origin}/${owner}/${name}` };
    },
  },

  /** @see SQS API reference, API_GetQueueAttributes; supports QueueArn and ApproximateNumberOfMessages */
  GetQueueAttributes: {
    parameters: ['QueueUrl', 'AttributeNames'],
    run(input, call) {
      const names = input.optionalTexts('AttributeNames') ?? [];
      const queue = openQueue(input, call, 'GetQueueAttributes');
      const visible = queue.messages.filter(({ visibleAtMs }) => visibleAtMs <= call.clock.nowMs()).length;
      const attributes: Record<string, string> = {
        QueueArn: queue.arn,
        ApproximateNumberOfMessages: String(visible),
      };
      if (names.some((name) => name !== 'All' && !(name in attributes))) {
        throw new AwsError(
          'InvalidAttributeName',
          `the local endpoint supports only ${Object.keys(attributes).join(', ')}`,
        );
      }
      const wanted = names.includes('All') ? Object.keys(attributes) : names;
      return { Attributes: Object.fromEntries(wanted.map((name) => [name, attributes[name]])) };
    },
  },
};

function openQueue(input: Input, call: Call, action: string): Queue {
  return openQueueByArn(queueArn(input, call), call, action);
}

function openQueueByArn(arn: string, call: Call, action: string): Queue {
  const queue = call.account.queues.get(arn);
  requireAllowed(call, { action: `sqs:${action}`, resource: arn, resourcePolicy: queue?.policy });
  if (!queue) throw noQueue();
  return queue;
}

/** The ARN of a queue, from its URL: `…/ACCOUNT/NAME`. */
function queueArn(input: Input, call: Call): string {
  const [, accountId, name] = /\/(\d{12})\/([\w-]{1,80})\/?$/.exec(input.text('QueueUrl')) ?? [];
  if (!accountId || !name) throw noQueue();
  return call.account.arn('sqs', name, accountId);
}

function describeMessage(message: QueueMessage, names: readonly string[]): object {
  const wanted = Object.entries(message.attributes).filter(
    ([name]) => names.includes(name) || names.includes('All') || names.includes('.*'),
  );
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    Body: message.body,
    MD5OfBody: md5(message.body),
    ...(wanted.length > 0
      ? {
          MessageAttributes: Object.fromEntries(
            wanted.map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
          ),
        }
      : {}),
  };
}

/** SDKs compare this checksum. It protects nothing. */
function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

function noQueue(): AwsError {
  return new AwsError('QueueDoesNotExist', 'The specified queue does not exist.', {
    // SDKs that date from SQS's query protocol identify the error by this code.
    headers: { 'x-amzn-query-error': 'AWS.SimpleQueueService.NonExistentQueue;Sender' },
  });
}

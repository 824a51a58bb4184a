import { z } from 'zod';
import { type Queue } from '../../account';
import {
  alreadyExists,
  arnOf,
  irrelevant,
  notFound,
  only,
  physicalName,
  type ResourceContext,
  resourceType,
  stateOf,
  tags,
} from '../resource-type';
import { policyDocumentOf } from '../../iam/policy-document';
import { keyArn } from './kms-resource-types';

export const sqsQueue = resourceType(
  z.strictObject({
    QueueName: z.string().max(80).optional(),
    SqsManagedSseEnabled: irrelevant('messages stay in memory'),
    KmsMasterKeyId: z.string().optional(),
    KmsDataKeyReusePeriodSeconds: irrelevant('permissions are checked for each message'),
    MessageRetentionPeriod: irrelevant('a run is shorter than the retention of a message'),
    VisibilityTimeout: irrelevant('messages are read by people'),
    ReceiveMessageWaitTimeSeconds: irrelevant('receiving does not wait here'),
    FifoQueue: only(false),
    Tags: tags,
  }),
  ({ QueueName, KmsMasterKeyId }, context) => {
    const name = QueueName ?? physicalName(context);
    const arn = arnOf(context, 'sqs', name);
    if (context.account.queues.has(arn)) throw alreadyExists(context, `queue ${name} already exists`);
    const url = `${context.endpointUrl}/${context.account.accountId}/${name}`;
    context.account.queues.set(arn, {
      arn,
      name,
      url,
      kmsKeyArn: KmsMasterKeyId && keyArn(KmsMasterKeyId, context),
      messages: [],
    });
    return { ref: url, attributes: { Arn: arn, QueueName: name, QueueUrl: url } };
  },
  {
    replacedBy: ['FifoQueue', 'QueueName'],
    update: ({ KmsMasterKeyId }, context, { attributes }) => {
      const queue = stateOf(context.account.queues, attributes.Arn, context);
      queue.kmsKeyArn = KmsMasterKeyId && keyArn(KmsMasterKeyId, context);
    },
    delete: ({ attributes }, { account }) => void account.queues.delete(attributes.Arn!),
  },
);

export const sqsQueuePolicy = resourceType(
  z.strictObject({ PolicyDocument: policyDocumentOf('queue'), Queues: z.array(z.string()) }),
  ({ PolicyDocument, Queues }, context) => {
    for (const url of Queues) {
      const queue = queueAt(url, context);
      if (!queue) throw notFound(context, `the account has no queue ${url}`);
      queue.policy = PolicyDocument;
    }
    const id = physicalName(context);
    return { ref: id, attributes: { Id: id } };
  },
  {
    delete: ({ properties: { Queues } }, context) => {
      for (const queue of Queues.map((url) => queueAt(url, context))) delete queue?.policy;
    },
  },
);

function queueAt(url: string, { account }: ResourceContext): Queue | undefined {
  return [...account.queues.values()].find((queue) => queue.url === url);
}

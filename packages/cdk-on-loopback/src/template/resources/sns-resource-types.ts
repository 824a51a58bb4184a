import { z } from 'zod';
import { policyDocumentOf } from '../../iam/policy-document';
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
import { keyArn } from './kms-resource-types';

/** The account's default key for topics. Its policy allows no service. */
const AWS_MANAGED_KEY = 'alias/aws/sns';

export const snsTopic = resourceType(
  z.strictObject({
    TopicName: z.string().max(256).optional(),
    DisplayName: irrelevant('for people'),
    KmsMasterKeyId: z.string().optional(),
    FifoTopic: only(false),
    SignatureVersion: irrelevant('messages are not signed here'),
    TracingConfig: irrelevant('there is no X-Ray here'),
    Tags: tags,
  }),
  ({ TopicName, KmsMasterKeyId }, context) => {
    const name = TopicName ?? physicalName(context);
    const arn = arnOf(context, 'sns', name);
    const { topics } = context.account;
    if (topics.has(arn)) throw alreadyExists(context, `topic ${name} already exists`);
    topics.set(arn, {
      arn,
      name,
      kmsKeyArn: topicKey(KmsMasterKeyId, context),
      subscriptions: [],
      messages: [],
    });
    return { ref: arn, attributes: { TopicArn: arn, TopicName: name } };
  },
  {
    replacedBy: ['FifoTopic', 'TopicName'],
    update: ({ KmsMasterKeyId }, context, { ref }) => {
      stateOf(context.account.topics, ref, context).kmsKeyArn = topicKey(KmsMasterKeyId, context);
    },
    delete: ({ ref }, { account }) => void account.topics.delete(ref),
  },
);

function topicKey(id: string | undefined, context: ResourceContext): string | undefined {
  return id?.endsWith(AWS_MANAGED_KEY) ? AWS_MANAGED_KEY : id && keyArn(id, context);
}

export const snsTopicPolicy = resourceType(
  z.strictObject({ PolicyDocument: policyDocumentOf('topic'), Topics: z.array(z.string()) }),
  ({ PolicyDocument, Topics }, context) => {
    for (const arn of Topics) {
      const topic = context.account.topics.get(arn);
      if (!topic) throw notFound(context, `the account has no topic ${arn}`);
      topic.policy = PolicyDocument;
    }
    const id = physicalName(context);
    return { ref: id, attributes: { Id: id } };
  },
  {
    delete: ({ properties: { Topics } }, { account }) => {
      for (const arn of Topics) delete account.topics.get(arn)?.policy;
    },
  },
);

const messageCondition = z.record(z.string(), z.array(z.string()));

/**
 * A filter policy that only compares text, with alternatives or without. SNS needs two for `$or` to be an operator.
 * @see https://docs.aws.amazon.com/sns/latest/dg/and-or-logic.html
 */
const filterPolicy = z.union([
  z.strictObject({ $or: z.array(messageCondition).min(2) }).transform(({ $or }) => $or),
  messageCondition.refine((all) => !('$or' in all)).transform((all) => [all]),
]);

export const snsSubscription = resourceType(
  z
    .strictObject({
      TopicArn: z.string(),
      Protocol: z.string(),
      Endpoint: z.string(),
      FilterPolicy: filterPolicy.optional(),
      FilterPolicyScope: z.literal('MessageBody').optional(),
    })
    .refine(({ FilterPolicy, FilterPolicyScope }) => !FilterPolicy === !FilterPolicyScope, {
      error: 'only together',
      path: ['FilterPolicy'],
    }),
  ({ TopicArn, Protocol, Endpoint, FilterPolicy: filter }, context) => {
    const topic = context.account.topics.get(TopicArn);
    if (!topic) throw notFound(context, `the account has no topic ${TopicArn}`);
    const arn = `${TopicArn}:${context.random(12)}`;
    topic.subscriptions.push({ arn, protocol: Protocol, endpoint: Endpoint, ...(filter && { filter }) });
    return { ref: arn, attributes: {} };
  },
  {
    replacedBy: ['Endpoint', 'Protocol', 'TopicArn'],
    delete: ({ ref, properties: { TopicArn } }, { account }) => {
      const topic = account.topics.get(TopicArn);
      if (topic) topic.subscriptions = topic.subscriptions.filter(({ arn }) => arn !== ref);
    },
  },
);

import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  alreadyExists,
  arnOf,
  invalidTemplate,
  irrelevant,
  notSupported,
  only,
  physicalName,
  resourceType,
  tags,
} from '../resource-type';

const attributeName = z.string().min(1).max(255);
const hashKey = z.strictObject({
  AttributeName: attributeName,
  KeyType: z.literal('HASH', 'only a partition key'),
});

export const dynamoDbTable = resourceType(
  z.strictObject({
    TableName: z.string().max(255).optional(),
    KeySchema: z.tuple([hashKey]),
    AttributeDefinitions: z.tuple([
      z.strictObject({ AttributeName: attributeName, AttributeType: z.enum(['S', 'B']) }),
    ]),
    BillingMode: z.literal('PAY_PER_REQUEST', 'only PAY_PER_REQUEST: capacity is not counted here'),
    DeletionProtectionEnabled: only(false),
    PointInTimeRecoverySpecification: irrelevant('a run keeps no backups'),
    Tags: tags,
  }),
  ({ TableName, KeySchema: [key], AttributeDefinitions: [attribute] }, context) => {
    if (key.AttributeName !== attribute.AttributeName) {
      throw invalidTemplate(
        context,
        'One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions.',
      );
    }
    const name = TableName ?? physicalName(context);
    const arn = arnOf(context, 'dynamodb', `table/${name}`);
    if (context.account.tables.has(arn)) throw alreadyExists(context, `Table already exists: ${name}`);
    const { AttributeName, AttributeType } = attribute;
    context.account.tables.set(arn, {
      arn,
      name,
      hashKey: { name: AttributeName, type: AttributeType },
      items: new Map(),
    });
    return { ref: name, attributes: { Arn: arn } };
  },
  {
    replacedBy: ['KeySchema', 'TableName'],
    update: ({ AttributeDefinitions }, context, { properties }) => {
      // CloudFormation replaces the table in some of these cases.
      if (!isDeepStrictEqual(AttributeDefinitions, properties.AttributeDefinitions))
        throw notSupported(context, 'AttributeDefinitions cannot change here');
    },
    delete: ({ attributes }, { account }) => void account.tables.delete(attributes.Arn!),
  },
);

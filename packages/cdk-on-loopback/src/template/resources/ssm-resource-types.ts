import { z } from 'zod';
import { alreadyExists, arnOf, description, irrelevant, physicalName, resourceType } from '../resource-type';

export const ssmParameter = resourceType(
  z.strictObject({
    Name: z.string().optional(),
    Type: z.enum(['String', 'StringList']),
    Value: z.string(),
    AllowedPattern: irrelevant('the template writes the only value'),
    Tier: irrelevant('costs nothing here'),
    Description: description,
    Tags: z.record(z.string(), z.string()).optional(),
  }),
  ({ Name, Type, Value }, context) => {
    const name = Name ?? `CFN-${physicalName(context)}`;
    if (context.account.parameters.has(name))
      throw alreadyExists(context, `parameter ${name} already exists`);
    const arn = arnOf(context, 'ssm', `parameter${name.startsWith('/') ? '' : '/'}${name}`);
    context.account.parameters.set(name, { arn, name, value: Value });
    return { ref: name, attributes: { Type, Value } };
  },
  { replacedBy: ['Name'], delete: ({ ref }, { account }) => void account.parameters.delete(ref) },
);

import { z } from 'zod';
import { type LogGroup } from '../../account';
import {
  arnOf,
  failure,
  irrelevant,
  only,
  physicalName,
  resourceType,
  tags,
  type ResourceContext,
} from '../resource-type';

/** @see AWS CloudFormation Template Reference, AWS::Logs::LogGroup */
export const logGroup = resourceType(
  z.strictObject({
    LogGroupName: z.string().optional(),
    RetentionInDays: irrelevant('a run keeps its log lines to its end'),
    KmsKeyId: irrelevant('log lines stay in memory'),
    LogGroupClass: only('STANDARD'),
    Tags: tags,
  }),
  ({ LogGroupName }, context) => {
    const name = LogGroupName ?? physicalName(context);
    if (context.account.logGroups.has(name))
      throw failure('already_exists', context, `log group ${name} already exists`);
    return { ref: name, attributes: { Arn: `${addLogGroup(name, context).arn}:*` } };
  },
  {
    replacedBy: ['LogGroupName'],
    update: () => undefined,
    delete: ({ ref }, { account }) => void account.logGroups.delete(ref),
  },
);

/** Adds an empty log group, for a template or for Lambda. */
export function addLogGroup(name: string, context: ResourceContext): LogGroup {
  const group = { arn: arnOf(context, 'logs', `log-group:${name}`), name, events: [] };
  context.account.logGroups.set(name, group);
  return group;
}

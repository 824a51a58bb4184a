import { z } from 'zod';
import { requireLogsKey } from '../../aws/logs-service';
import {
  alreadyExists,
  arnOf,
  invalidTemplate,
  irrelevant,
  only,
  physicalName,
  type ResourceContext,
  resourceType,
  stateOf,
  tags,
} from '../resource-type';
import { keyArn } from './kms-resource-types';

export const logGroup = resourceType(
  z.strictObject({
    LogGroupName: z.string().optional(),
    RetentionInDays: irrelevant('a run keeps its log lines to its end'),
    KmsKeyId: z.string().optional(),
    LogGroupClass: only('STANDARD'),
    Tags: tags,
  }),
  ({ LogGroupName, KmsKeyId }, context) => {
    const name = LogGroupName ?? physicalName(context);
    if (context.account.logGroups.has(name)) throw alreadyExists(context, `log group ${name} already exists`);
    const arn = groupArn(name, context);
    context.account.logGroups.set(name, { arn, name, kmsKeyArn: keyOf(name, KmsKeyId, context), events: [] });
    return { ref: name, attributes: { Arn: `${arn}:*` } };
  },
  {
    replacedBy: ['LogGroupName'],
    update: ({ KmsKeyId }, context, { ref }) => {
      const group = stateOf(context.account.logGroups, ref, context);
      group.kmsKeyArn = keyOf(ref, KmsKeyId, context);
    },
    delete: ({ ref }, { account }) => void account.logGroups.delete(ref),
  },
);

/** @throws {TemplateError} with the words of CloudWatch Logs if it may not use the key */
function keyOf(name: string, keyId: string | undefined, context: ResourceContext): string | undefined {
  if (keyId === undefined) return undefined;
  const kmsKeyArn = keyArn(keyId, context);
  try {
    requireLogsKey(context.account, { arn: groupArn(name, context), kmsKeyArn });
  } catch (error) {
    throw invalidTemplate(context, (error as Error).message);
  }
  return kmsKeyArn;
}

function groupArn(name: string, context: ResourceContext): string {
  return arnOf(context, 'logs', `log-group:${name}`);
}

import { z } from 'zod';
import { parseScheduleExpression } from '../../schedule-expression';
import { type Schedule } from '../../account';
import { DEFAULT_RETRIES } from '../../aws/scheduler-service';
import {
  alreadyExists,
  arnOf,
  irrelevant,
  notSupported,
  only,
  physicalName,
  type ResourceContext,
  resourceType,
  stateOf,
  wholeNumber,
} from '../resource-type';

const scheduleProperties = z.strictObject({
  Name: z.string().max(64).optional(),
  GroupName: only('default'),
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: z.enum(['UTC', 'Etc/UTC']).optional(),
  FlexibleTimeWindow: z.strictObject({ Mode: z.literal('OFF') }),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Target: z.strictObject({
    Arn: z.string().regex(/^arn:aws:lambda:/, 'only a Lambda function'),
    RoleArn: z.string(),
    Input: z.string().default('{}'),
    RetryPolicy: z
      .strictObject({
        MaximumEventAgeInSeconds: wholeNumber.default(DEFAULT_RETRIES.maximumEventAgeSec),
        MaximumRetryAttempts: wholeNumber.default(DEFAULT_RETRIES.maximumRetryAttempts),
      })
      .prefault({}),
    DeadLetterConfig: z.strictObject({ Arn: z.string().regex(/^arn:aws:sqs:/, 'only a queue') }).optional(),
  }),
  KmsKeyArn: irrelevant('the input stays in memory'),
  Description: z.string().max(512).optional(),
});

export const schedule = resourceType(
  scheduleProperties,
  (properties, context) => {
    const name = properties.Name ?? physicalName(context);
    const arn = arnOf(context, 'scheduler', `schedule/default/${name}`);
    const { schedules } = context.account;
    if (schedules.has(arn)) throw alreadyExists(context, `schedule ${name} already exists`);
    schedules.set(arn, { arn, name, createdAtMs: context.nowMs, ...definitionOf(properties, context) });
    return { ref: name, attributes: { Arn: arn } };
  },
  {
    replacedBy: ['Name'],
    update: (properties, context, { attributes }) => {
      const { schedules } = context.account;
      const { arn, name, createdAtMs } = stateOf(schedules, attributes.Arn, context);
      schedules.set(arn, { arn, name, createdAtMs, ...definitionOf(properties, context) });
    },
    delete: ({ attributes }, { account }) => void account.schedules.delete(attributes.Arn!),
  },
);

function definitionOf(
  { ScheduleExpression, State, Target, Description }: z.output<typeof scheduleProperties>,
  context: ResourceContext,
): Omit<Schedule, 'arn' | 'name' | 'createdAtMs'> {
  try {
    parseScheduleExpression(ScheduleExpression);
  } catch (error) {
    throw notSupported(context, (error as Error).message);
  }
  return {
    expression: ScheduleExpression,
    state: State,
    targetArn: Target.Arn,
    roleArn: Target.RoleArn,
    input: Target.Input,
    deadLetterArn: Target.DeadLetterConfig?.Arn,
    maximumRetryAttempts: Target.RetryPolicy.MaximumRetryAttempts,
    maximumEventAgeSec: Target.RetryPolicy.MaximumEventAgeInSeconds,
    description: Description,
    lastModifiedAtMs: context.nowMs,
  };
}

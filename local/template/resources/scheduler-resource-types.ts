import { z } from 'zod';
import { parseScheduleExpression } from '../../schedule-expression';
import { arnOf, failure, irrelevant, only, physicalName, resourceType, wholeNumber } from '../resource-type';

/** @see AWS CloudFormation Template Reference, AWS::Scheduler::Schedule */
export const schedule = resourceType(
  z.strictObject({
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
      // The defaults of Scheduler's API_RetryPolicy.
      RetryPolicy: z
        .strictObject({
          MaximumEventAgeInSeconds: wholeNumber.default(86_400),
          MaximumRetryAttempts: wholeNumber.default(185),
        })
        .prefault({}),
      DeadLetterConfig: z.strictObject({ Arn: z.string().regex(/^arn:aws:sqs:/, 'only a queue') }).optional(),
    }),
    KmsKeyArn: irrelevant('the input stays in memory'),
    Description: z.string().max(512).optional(),
  }),
  ({ Name, ScheduleExpression, State, Target, Description }, context) => {
    const name = Name ?? physicalName(context);
    const arn = arnOf(context, 'scheduler', `schedule/default/${name}`);
    if (context.account.schedules.has(arn))
      throw failure('already_exists', context, `schedule ${name} already exists`);
    try {
      parseScheduleExpression(ScheduleExpression);
    } catch (error) {
      throw failure('not_supported', context, (error as Error).message);
    }
    context.account.schedules.set(arn, {
      arn,
      name,
      expression: ScheduleExpression,
      state: State,
      targetArn: Target.Arn,
      roleArn: Target.RoleArn,
      input: Target.Input,
      ...(Target.DeadLetterConfig === undefined ? {} : { deadLetterArn: Target.DeadLetterConfig.Arn }),
      maximumRetryAttempts: Target.RetryPolicy.MaximumRetryAttempts,
      maximumEventAgeSec: Target.RetryPolicy.MaximumEventAgeInSeconds,
      ...(Description === undefined ? {} : { description: Description }),
      createdAtMs: context.nowMs,
      lastModifiedAtMs: context.nowMs,
    });
    return { ref: name, attributes: { Arn: arn } };
  },
);

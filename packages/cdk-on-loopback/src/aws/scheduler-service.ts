import { type Schedule } from '../account';
import { parseScheduleExpression, ScheduleExpressionError } from '../schedule-expression';
import { requireAllowed } from '../iam/authorize';
import { AwsError, validationError } from './aws-error';
import { type Input } from './input';
import { type Call, epochSec, type RestOperations } from './operation';
import { parseJsonInput, renderRest } from './protocols';

const GROUP = 'default';
/** The defaults of Scheduler's API_RetryPolicy. */
export const DEFAULT_RETRIES = { maximumRetryAttempts: 185, maximumEventAgeSec: 86_400 };

export const SCHEDULER_OPERATIONS: RestOperations = {
  GetSchedule: {
    route: 'GET /schedules/{name}',
    run({ name, query }, call) {
      const schedule = openSchedule(name, query.get('groupName') ?? GROUP, call, 'GetSchedule');
      return renderRest({
        Arn: schedule.arn,
        GroupName: GROUP,
        Name: schedule.name,
        Description: schedule.description,
        ScheduleExpression: schedule.expression,
        ScheduleExpressionTimezone: 'UTC',
        State: schedule.state,
        FlexibleTimeWindow: { Mode: 'OFF' },
        ActionAfterCompletion: 'NONE',
        CreationDate: epochSec(schedule.createdAtMs),
        LastModificationDate: epochSec(schedule.lastModifiedAtMs),
        Target: {
          Arn: schedule.targetArn,
          RoleArn: schedule.roleArn,
          Input: schedule.input,
          RetryPolicy: {
            MaximumEventAgeInSeconds: schedule.maximumEventAgeSec,
            MaximumRetryAttempts: schedule.maximumRetryAttempts,
          },
          DeadLetterConfig: schedule.deadLetterArn && { Arn: schedule.deadLetterArn },
        },
      });
    },
  },

  /**
   * Replaces the whole definition. Fields that the request omits get their defaults.
   * @see EventBridge Scheduler User Guide, "Setting up" (iam:PassRole)
   */
  UpdateSchedule: {
    route: 'PUT /schedules/{name}',
    run({ name, body: bytes }, call) {
      const body = parseJsonInput(bytes);
      body.refuseOtherThan([
        'ActionAfterCompletion',
        'ClientToken',
        'Description',
        'FlexibleTimeWindow',
        'GroupName',
        'ScheduleExpression',
        'ScheduleExpressionTimezone',
        'State',
        'Target',
      ]);
      const previous = openSchedule(name, body.optionalText('GroupName') ?? GROUP, call, 'UpdateSchedule');
      const current = {
        ...definitionIn(body),
        ...identityOf(previous),
        lastModifiedAtMs: call.clock.nowMs(),
      };
      requireAllowed(call, {
        action: 'iam:PassRole',
        resource: current.roleArn,
        context: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
      });
      call.account.schedules.set(current.arn, current);
      call.scheduleUpdates.replaced(previous, current);
      return renderRest({ ScheduleArn: current.arn });
    },
  },
};

function openSchedule(name: string, group: string, call: Call, action: string): Schedule {
  const { account } = call;
  const arn = account.arn('scheduler', `schedule/${group}/${name}`);
  requireAllowed(call, { action: `scheduler:${action}`, resource: arn });
  const schedule = account.schedules.get(arn);
  if (schedule) return schedule;
  throw new AwsError('ResourceNotFoundException', `Schedule ${name} does not exist.`, { statusCode: 404 });
}

function identityOf({ arn, name, createdAtMs }: Schedule): Pick<Schedule, 'arn' | 'name' | 'createdAtMs'> {
  return { arn, name, createdAtMs };
}

function definitionIn(body: Input): Omit<Schedule, 'arn' | 'name' | 'createdAtMs' | 'lastModifiedAtMs'> {
  const expression = expressionIn(body);
  requireOneOf(body, 'ScheduleExpressionTimezone', ['UTC', 'Etc/UTC']);
  requireOneOf(body, 'ActionAfterCompletion', ['NONE']);
  const window = body.optionalInput('FlexibleTimeWindow');
  window?.refuseOtherThan(['Mode']);
  if (!window) throw validationError('FlexibleTimeWindow is missing');
  requireOneOf(window, 'Mode', ['OFF']);
  const state = requireOneOf(body, 'State', ['ENABLED', 'DISABLED']) as Schedule['state'] | undefined;
  return {
    expression,
    state: state ?? 'ENABLED',
    description: body.optionalText('Description', { min: 0, max: 512 }),
    ...targetIn(body),
  };
}

function expressionIn(body: Input): string {
  const expression = body.text('ScheduleExpression', { max: 256 });
  try {
    parseScheduleExpression(expression);
  } catch (error) {
    if (error instanceof ScheduleExpressionError) throw validationError(error.message);
    throw error;
  }
  return expression;
}

function targetIn(body: Input) {
  const target = body.optionalInput('Target');
  if (!target) throw validationError('Target is missing');
  target.refuseOtherThan(['Arn', 'RoleArn', 'Input', 'RetryPolicy', 'DeadLetterConfig']);
  const targetArn = target.text('Arn');
  if (!targetArn.startsWith('arn:aws:lambda:'))
    throw validationError('only Lambda functions are supported as targets');
  const retry = target.optionalInput('RetryPolicy');
  retry?.refuseOtherThan(['MaximumEventAgeInSeconds', 'MaximumRetryAttempts']);
  const deadLetters = target.optionalInput('DeadLetterConfig');
  deadLetters?.refuseOtherThan(['Arn']);
  return {
    targetArn,
    roleArn: target.text('RoleArn'),
    input: target.optionalText('Input') ?? '{}',
    maximumEventAgeSec:
      retry?.optionalInteger('MaximumEventAgeInSeconds', { min: 60, max: 86_400 }) ??
      DEFAULT_RETRIES.maximumEventAgeSec,
    maximumRetryAttempts:
      retry?.optionalInteger('MaximumRetryAttempts', { min: 0, max: 185 }) ??
      DEFAULT_RETRIES.maximumRetryAttempts,
    deadLetterArn: deadLetters?.optionalText('Arn'),
  };
}

function requireOneOf(input: Input, name: string, allowed: readonly string[]): string | undefined {
  const value = input.optionalText(name);
  if (value === undefined || allowed.includes(value)) return value;
  throw validationError(`${name}: allowed: ${allowed.join(', ')}`);
}

import { type Schedule } from '../account';
import { parseScheduleExpression, ScheduleExpressionError } from '../schedule-expression';
import { AwsError } from './aws-error';
import { type Input } from './input';
import { type RestResponse } from './lambda-service';
import { type Call, epochSec, requireAllowed } from './operation';

const GROUP = 'default';
/** The defaults of Scheduler's API_RetryPolicy. */
const DEFAULT_RETRIES = { maximumRetryAttempts: 185, maximumEventAgeSec: 86_400 };

/** A request to Scheduler's REST API for one schedule. */
interface ScheduleRequest {
  name: string;
  query: URLSearchParams;
  /** Empty for a GET. */
  body: Input;
}

/** An EventBridge Scheduler operation. It authorizes the caller itself. */
interface SchedulerOperation {
  readonly name: string;
  readonly method: string;
  /** @throws {AwsError} */
  run(request: ScheduleRequest, call: Call): object;
}

/** @see EventBridge Scheduler API reference, API_GetSchedule */
const getSchedule: SchedulerOperation = {
  name: 'GetSchedule',
  method: 'GET',
  run({ name, query }, call) {
    const schedule = openSchedule(name, query.get('groupName') ?? GROUP, call, 'GetSchedule');
    return {
      Arn: schedule.arn,
      GroupName: GROUP,
      Name: schedule.name,
      ...(schedule.description === undefined ? {} : { Description: schedule.description }),
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
        ...(schedule.deadLetterArn === undefined
          ? {}
          : { DeadLetterConfig: { Arn: schedule.deadLetterArn } }),
      },
    };
  },
};

/**
 * Replaces the whole definition. Fields that the request omits get their defaults.
 * @see EventBridge Scheduler API reference, API_UpdateSchedule; User Guide, "Setting up" (iam:PassRole)
 */
const updateSchedule: SchedulerOperation = {
  name: 'UpdateSchedule',
  method: 'PUT',
  run({ name, body }, call) {
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
    const current = { ...definitionIn(body), ...identityOf(previous), lastModifiedAtMs: call.clock.nowMs() };
    requireAllowed(call, {
      action: 'iam:PassRole',
      resource: current.roleArn,
      context: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
    });
    call.account.schedules.set(current.arn, current);
    call.scheduleUpdates.replaced(previous, current);
    return { ScheduleArn: current.arn };
  },
};

/** The EventBridge Scheduler operations supported here. */
export const SCHEDULER_OPERATIONS: readonly SchedulerOperation[] = [getSchedule, updateSchedule];

function openSchedule(name: string, group: string, call: Call, action: string): Schedule {
  const { account } = call;
  const arn = `arn:aws:scheduler:${account.region}:${account.accountId}:schedule/${group}/${name}`;
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
  if (!window) throw invalid('FlexibleTimeWindow is missing');
  requireOneOf(window, 'Mode', ['OFF']);
  const state = requireOneOf(body, 'State', ['ENABLED', 'DISABLED']) as Schedule['state'] | undefined;
  const description = body.optionalText('Description', { min: 0, max: 512 });
  return {
    expression,
    state: state ?? 'ENABLED',
    ...(description === undefined ? {} : { description }),
    ...targetIn(body),
  };
}

function expressionIn(body: Input): string {
  const expression = body.text('ScheduleExpression', { max: 256 });
  try {
    parseScheduleExpression(expression);
  } catch (error) {
    if (error instanceof ScheduleExpressionError) throw invalid(error.message);
    throw error;
  }
  return expression;
}

function targetIn(body: Input) {
  const target = body.optionalInput('Target');
  if (!target) throw invalid('Target is missing');
  target.refuseOtherThan(['Arn', 'RoleArn', 'Input', 'RetryPolicy', 'DeadLetterConfig']);
  const targetArn = target.text('Arn');
  if (!targetArn.startsWith('arn:aws:lambda:'))
    throw invalid('only Lambda functions are supported as targets');
  const retry = target.optionalInput('RetryPolicy');
  retry?.refuseOtherThan(['MaximumEventAgeInSeconds', 'MaximumRetryAttempts']);
  const deadLetters = target.optionalInput('DeadLetterConfig');
  deadLetters?.refuseOtherThan(['Arn']);
  const deadLetterArn = deadLetters?.optionalText('Arn');
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
    ...(deadLetterArn === undefined ? {} : { deadLetterArn }),
  };
}

function requireOneOf(input: Input, name: string, allowed: readonly string[]): string | undefined {
  const value = input.optionalText(name);
  if (value === undefined || allowed.includes(value)) return value;
  throw invalid(`${name}: allowed: ${allowed.join(', ')}`);
}

function invalid(message: string): AwsError {
  return new AwsError('ValidationException', message);
}

/** Renders a JSON response. */
export function renderScheduler(document: object): RestResponse {
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(document)),
  };
}

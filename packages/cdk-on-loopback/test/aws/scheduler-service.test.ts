import {
  GetScheduleCommand,
  ListSchedulesCommand,
  UpdateScheduleCommand,
  type UpdateScheduleCommandInput,
} from '@aws-sdk/client-scheduler';
import { type PolicyStatement, type Schedule } from '../../src/account';
import { expectDenied, LocalAws, refusalOf } from '../../src/testing/local-aws';
import { allow } from '../support/policies';

const NAME = 'latchkey-staging-mea-token-sweep';
const ARN = `arn:aws:scheduler:eu-west-1:111111111111:schedule/default/${NAME}`;
const ROLE_ARN = 'arn:aws:iam::111111111111:role/schedule';
const SWEEP_ARN = 'arn:aws:lambda:eu-west-1:111111111111:function:sweep';
const QUEUE_ARN = 'arn:aws:sqs:eu-west-1:111111111111:dead';
const SCHEDULE: Schedule = {
  arn: ARN,
  name: NAME,
  expression: 'rate(5 minutes)',
  state: 'ENABLED',
  targetArn: SWEEP_ARN,
  roleArn: ROLE_ARN,
  input: '{"action":"sweep"}',
  deadLetterArn: QUEUE_ARN,
  maximumRetryAttempts: 0,
  maximumEventAgeSec: 300,
  description: 'renews tokens',
  createdAtMs: 1_000_000,
  lastModifiedAtMs: 2_000_000,
};
const MINIMAL: UpdateScheduleCommandInput = {
  Name: NAME,
  ScheduleExpression: 'rate(5 minutes)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: SWEEP_ARN, RoleArn: ROLE_ARN },
};
const MAY_UPDATE = allow(['scheduler:GetSchedule', 'scheduler:UpdateSchedule'], ARN);
const mayPassTo = (service: string) =>
  allow('iam:PassRole', ROLE_ARN, { StringEquals: { 'iam:PassedToService': service } });

describe('EventBridge Scheduler', () => {
  let aws: LocalAws;

  beforeEach(async () => {
    aws = new LocalAws();
    aws.account.schedules.set(ARN, SCHEDULE);
    await aws.start();
  });
  afterEach(() => aws.stop());

  const get = (key = aws.administrator, Name = NAME) =>
    aws.scheduler(key).send(new GetScheduleCommand({ Name }));
  const update = (input: UpdateScheduleCommandInput, key = aws.administrator) =>
    aws.scheduler(key).send(new UpdateScheduleCommand(input));

  it('describes a schedule', async () => {
    const { $metadata, ...described } = await get();

    expect($metadata.httpStatusCode).toBe(200);
    expect(described).toEqual({
      Arn: ARN,
      GroupName: 'default',
      Name: NAME,
      Description: 'renews tokens',
      ScheduleExpression: 'rate(5 minutes)',
      ScheduleExpressionTimezone: 'UTC',
      State: 'ENABLED',
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'NONE',
      CreationDate: new Date(1_000_000),
      LastModificationDate: new Date(2_000_000),
      Target: {
        Arn: SWEEP_ARN,
        RoleArn: ROLE_ARN,
        Input: '{"action":"sweep"}',
        RetryPolicy: { MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 0 },
        DeadLetterConfig: { Arn: QUEUE_ARN },
      },
    });
  });

  it('is disabled by an update that changes nothing else', async () => {
    const onlyDescribed = ['$metadata', 'Arn', 'CreationDate', 'LastModificationDate'];
    const described = Object.entries(await get()).filter(([name]) => !onlyDescribed.includes(name));
    const definition = Object.fromEntries(described) as unknown as UpdateScheduleCommandInput;

    const answer = await update({ ...definition, State: 'DISABLED' });

    const lastModifiedAtMs = expect.any(Number) as number;
    const disabled = { ...SCHEDULE, state: 'DISABLED', lastModifiedAtMs };
    expect(answer.ScheduleArn).toBe(ARN);
    expect(aws.account.schedules.get(ARN)).toEqual(disabled);
    expect(aws.replacedSchedules).toEqual([[SCHEDULE, disabled]]);
  });

  // API_UpdateSchedule: fields that the request omits are reset.
  it('loses fields that the new definition omits', async () => {
    await update(MINIMAL);

    expect(aws.account.schedules.get(ARN)).toEqual({
      arn: ARN,
      name: NAME,
      expression: 'rate(5 minutes)',
      state: 'ENABLED',
      targetArn: SWEEP_ARN,
      roleArn: ROLE_ARN,
      input: '{}',
      maximumRetryAttempts: 185,
      maximumEventAgeSec: 86_400,
      createdAtMs: 1_000_000,
      lastModifiedAtMs: expect.any(Number) as unknown,
    });
  });

  it('can be changed by a role that may update it and pass its role', async () => {
    const key = aws.roleKey(MAY_UPDATE, mayPassTo('scheduler.amazonaws.com'));

    await expect(update(MINIMAL, key)).resolves.toMatchObject({ ScheduleArn: ARN });
  });

  it.each<[string, PolicyStatement[], string]>([
    ['may only read', [mayPassTo('scheduler.amazonaws.com')], 'scheduler:UpdateSchedule'],
    [
      'may pass the role only to another service',
      [MAY_UPDATE, mayPassTo('lambda.amazonaws.com')],
      'iam:PassRole',
    ],
  ])('is not changed by a role that %s', async (_, statements, action) => {
    await expectDenied(update(MINIMAL, aws.roleKey(...statements)), action);

    expect(aws.account.schedules.get(ARN)).toBe(SCHEDULE);
  });

  it('requires permission to read', () => expectDenied(get(aws.roleKey()), 'scheduler:GetSchedule', ARN));

  it('must exist', async () => {
    expect((await refusalOf(get(aws.administrator, 'none'))).name).toBe('ResourceNotFoundException');
  });

  it.each<[string, Partial<UpdateScheduleCommandInput>, RegExp]>([
    ['an unsupported expression', { ScheduleExpression: 'at(2026-01-01T00:00:00)' }, /at\(2026/],
    [
      'another time zone',
      { ScheduleExpressionTimezone: 'Europe/Berlin' },
      /ScheduleExpressionTimezone: allowed: UTC/,
    ],
    ['a flexible window', { FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 5 } }, /Maximum/],
    ['another target', { Target: { Arn: QUEUE_ARN, RoleArn: ROLE_ARN } }, /Lambda function/],
    ['an end', { EndDate: new Date() }, /EndDate/],
  ])('refuses %s', async (_, part, message) => {
    const refusal = await refusalOf(update({ ...MINIMAL, ...part }));

    expect(refusal.name).toBe('ValidationException');
    expect(refusal.message).toMatch(message);
  });

  it('rejects an unsupported call, naming the supported ones', async () => {
    const refusal = await refusalOf(aws.scheduler().send(new ListSchedulesCommand({})));

    expect(refusal.message).toContain('this operation of scheduler; supported: GetSchedule, UpdateSchedule');
  });
});

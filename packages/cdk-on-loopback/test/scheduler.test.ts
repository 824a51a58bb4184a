import { type Account, type PolicyStatement, type Schedule } from '../src/account';
import { standingClock } from '../src/testing/standing-clock';
import { type FunctionInvoker } from '../src/interfaces';
import { Scheduler } from '../src/scheduler';
import { addRole } from '../src/testing/account-parts';
import { RecordingReporter } from '../src/testing/recording-reporter';
import { emptyAccount, NOW_MS } from '../src/testing/stacks';

const ROLE = 'arn:aws:iam::111111111111:role/scheduler';
const TARGET = 'arn:aws:lambda:eu-west-1:111111111111:function:sweep';
const QUEUE = 'arn:aws:sqs:eu-west-1:111111111111:dead';
const TRUST: PolicyStatement = {
  Effect: 'Allow',
  Principal: { Service: 'scheduler.amazonaws.com' },
  Action: 'sts:AssumeRole',
  Condition: {
    StringEquals: {
      'aws:SourceAccount': '111111111111',
      'aws:SourceArn': 'arn:aws:scheduler:eu-west-1:111111111111:schedule-group/default',
    },
  },
};
const MAY_INVOKE: PolicyStatement = { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: TARGET };

interface Given {
  trust?: PolicyStatement;
  rights?: PolicyStatement[];
  schedule?: Partial<Schedule>;
  invokeError?: Error;
}

const setUp = ({ trust = TRUST, rights = [MAY_INVOKE], schedule = {}, invokeError }: Given = {}) => {
  const account: Account = emptyAccount();
  addRole(account, 'scheduler', rights, { Statement: trust });
  account.schedules.set('arn:schedule', {
    arn: 'arn:schedule',
    name: 'sweep',
    expression: 'rate(5 minutes)',
    state: 'ENABLED',
    targetArn: TARGET,
    roleArn: ROLE,
    input: '{"action":"sweep"}',
    deadLetterArn: QUEUE,
    maximumRetryAttempts: 0,
    maximumEventAgeSec: 3600,
    createdAtMs: NOW_MS,
    lastModifiedAtMs: NOW_MS,
    ...schedule,
  });
  const clock = standingClock(NOW_MS);
  const reporter = new RecordingReporter();
  const fired: string[] = [];
  const sent: { principal: string; body: string; attributes?: Record<string, string> }[] = [];
  const invoker: Pick<FunctionInvoker, 'invokeAsync'> = {
    invokeAsync: (arn, payload) => {
      if (invokeError) throw invokeError;
      fired.push(`${(clock.nowMs() - NOW_MS) / 1000} ${arn} ${payload.toString()}`);
      return { requestId: 'r' };
    },
  };
  const scheduler = new Scheduler({
    account,
    clock,
    reporter,
    invoker: invoker as FunctionInvoker,
    queueSender: {
      send: (principal, _arn, body, attributes) => {
        sent.push({ principal: 'arn' in principal ? principal.arn : '', body, attributes });
        return { messageId: 'm' };
      },
    },
  });
  scheduler.start();
  const change = (part: Partial<Schedule>): void => {
    const previous = account.schedules.get('arn:schedule')!;
    const current = { ...previous, ...part };
    account.schedules.set('arn:schedule', current);
    scheduler.replaced(previous, current);
  };
  const firedSec = (): number[] => fired.map((line) => parseInt(line));
  return { account, clock, reporter, fired, firedSec, sent, scheduler, change };
};

test('sends the input to the function at once and then every interval', async () => {
  const { clock, fired } = setUp();

  await clock.advance(600);

  const call = `${TARGET} {"action":"sweep"}`;
  expect(fired).toEqual([`0 ${call}`, `300 ${call}`, `600 ${call}`]);
});

test('started again, follows the account’s schedules as they are now, and keeps the rhythm of the others', async () => {
  const { account, clock, fired, scheduler } = setUp({ schedule: { input: 'kept' } });
  const [kept] = account.schedules.values();
  for (const input of ['gone', 'changed'])
    account.schedules.set(input, { ...kept!, arn: input, input, expression: 'rate(2 minutes)' });
  scheduler.start();
  await clock.advance(60);
  fired.length = 0;

  account.schedules.delete('gone');
  account.schedules.set('changed', {
    ...kept!,
    arn: 'changed',
    input: 'changed',
    expression: 'rate(3 minutes)',
  });
  account.schedules.set('added', { ...kept!, arn: 'added', input: 'added' });
  scheduler.start();
  await clock.advance(240);

  expect(fired.map((line) => line.replace(`${TARGET} `, ''))).toEqual([
    '60 changed',
    '60 added',
    '240 changed',
    '300 kept',
  ]);
});

test('fires at all its times within a day; in a longer jump, only first and in the last hour', async () => {
  const day = setUp();
  const hundredDays = setUp();
  const sixHourly = setUp({ schedule: { expression: 'rate(6 hours)' } });
  const daily = setUp({ schedule: { expression: 'rate(1 day)' } });
  const cron = setUp({ schedule: { expression: 'cron(0 8 1 * ? *)' } });

  await day.clock.advance(86_400);
  for (const { clock } of [hundredDays, sixHourly, daily, cron]) await clock.advance(100 * 86_400);
  await hundredDays.clock.advance(600);

  expect(day.fired).toHaveLength(289);
  const endSec = 100 * 86_400;
  const everyFiveMinutes = Array.from({ length: 15 }, (_, n) => endSec - 3600 + n * 300);
  expect(hundredDays.firedSec()).toEqual([0, ...everyFiveMinutes]);
  expect(sixHourly.firedSec()).toEqual([0, endSec - 21_600, endSec]);
  expect(daily.fired).toHaveLength(101);
  expect(cron.fired).toHaveLength(4);
});

test('does not fire disabled schedules, or any after stop', async () => {
  const disabled = setUp({ schedule: { state: 'DISABLED' } });
  const stopped = setUp();

  await disabled.clock.advance(600);
  await stopped.clock.advance(1);
  stopped.scheduler.stop();
  await stopped.clock.advance(600);

  expect(disabled.fired).toEqual([]);
  expect(stopped.fired).toHaveLength(1);
});

test('does not fire while it is disabled, and keeps its rhythm afterwards', async () => {
  const { clock, change, firedSec } = setUp();
  await clock.advance(400);

  change({ state: 'DISABLED' });
  await clock.advance(400);
  change({ state: 'ENABLED' });
  await clock.advance(400);

  expect(firedSec()).toEqual([0, 300, 900, 1200]);
});

test('that was disabled from the start fires once it is enabled', async () => {
  const { clock, change, firedSec } = setUp({ schedule: { state: 'DISABLED' } });
  await clock.advance(60);

  change({ state: 'ENABLED' });
  await clock.advance(300);

  expect(firedSec()).toEqual([300]);
});

test('restarts with a new expression, and sends the new input', async () => {
  const { clock, change, firedSec, fired } = setUp();
  await clock.advance(100);

  change({ expression: 'rate(10 minutes)', input: '{"action":"other"}' });
  await clock.advance(700);

  expect(firedSec()).toEqual([0, 100, 700]);
  expect(fired.at(-1)).toContain('other');
});

const OTHER_GROUP = 'arn:aws:scheduler:eu-west-1:111111111111:schedule-group/other';
const forOtherGroup = { StringEquals: { 'aws:SourceArn': OTHER_GROUP } };
test.each<[string, Given, RegExp]>([
  [
    'trusts only another schedule group',
    { trust: { ...TRUST, Condition: forOtherGroup } },
    /sts:AssumeRole on resource: .*role\/scheduler/,
  ],
  ['may not invoke the function', { rights: [] }, /lambda:InvokeFunction on resource: .*function:sweep/],
])('names the denied action and resource if the role %s', async (_, given, message) => {
  const { clock, reporter, fired } = setUp(given);

  await clock.advance(1);

  expect(fired).toEqual([]);
  expect(reporter.warnings[0]).toMatch(message);
});

// Amazon EventBridge Scheduler User Guide, "Configuring a schedule's dead-letter queue".
test('sends a failed firing to the dead-letter queue as the role, with its attributes', async () => {
  const { clock, sent } = setUp({ rights: [] });

  await clock.advance(1);

  expect(sent).toEqual([
    {
      principal: 'arn:aws:sts::111111111111:assumed-role/scheduler/sweep',
      body: '{"action":"sweep"}',
      attributes: {
        ERROR_CODE: 'AccessDeniedException',
        ERROR_MESSAGE: expect.stringContaining('lambda:InvokeFunction') as unknown,
        EXECUTION_ID: expect.stringMatching(/^[\da-f-]{36}$/) as unknown,
        EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
        IS_PAYLOAD_TRUNCATED: 'false',
        RETRY_ATTEMPTS: '0',
        SCHEDULED_TIME: new Date(NOW_MS).toISOString(),
        SCHEDULE_ARN: 'arn:schedule',
        TARGET_ARN: TARGET,
      },
    },
  ]);
});

test('retries as often as the policy allows', async () => {
  const { clock, sent, reporter } = setUp({
    rights: [],
    schedule: { maximumRetryAttempts: 2, expression: 'cron(0 0 1 1 ? 2026)' },
  });

  await clock.advance(60);

  expect(reporter.warnings).toHaveLength(3);
  expect(sent[0]?.attributes).toMatchObject({
    RETRY_ATTEMPTS: '2',
    EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
  });
});

test('stops retrying when the event is too old', async () => {
  const error = Object.assign(new Error('Function not found'), { code: 'ResourceNotFoundException' });
  const { clock, sent } = setUp({
    invokeError: error,
    schedule: { maximumRetryAttempts: 185, maximumEventAgeSec: 60, expression: 'cron(0 0 1 1 ? 2026)' },
  });

  await clock.advance(59);
  expect(sent).toEqual([]);
  await clock.advance(1);

  expect(sent[0]?.attributes).toMatchObject({
    ERROR_CODE: 'ResourceNotFoundException',
    EXHAUSTED_RETRY_CONDITION: 'MaximumEventAgeInSeconds',
  });
});

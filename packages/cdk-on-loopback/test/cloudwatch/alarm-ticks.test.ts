import { RunClock } from '../../src/run-clock';
import { standingClock } from '../../src/testing/standing-clock';
import { CloudWatch } from '../../src/cloudwatch/cloudwatch';
import { RecordingReporter } from '../../src/testing/recording-reporter';
import { emptyAccount, NOW_MS } from '../../src/testing/stacks';
import { FAULTS, metricAlarm } from './alarm-definitions';

const QUEUE_ARN = 'arn:aws:sqs:eu-west-1:111111111111:dead';
const DAY_SEC = 86_400;

const setUp = (clock = standingClock(NOW_MS)) => {
  const account = emptyAccount();
  account.queues.set(QUEUE_ARN, { arn: QUEUE_ARN, name: 'dead', url: '', messages: [] });
  account.alarms.set('a', metricAlarm('a'));
  const reporter = new RecordingReporter();
  const cloudWatch = new CloudWatch({ account, clock, reporter });
  const evaluatedSec: number[] = [];
  const evaluate = jest.spyOn(cloudWatch.alarms, 'evaluate').mockImplementation((nowMs) => {
    evaluatedSec.push((nowMs - NOW_MS) / 1000);
    return [];
  });
  return { account, clock, cloudWatch, evaluatedSec, evaluate };
};
const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => from + n * step);

describe('the ticks of CloudWatch', () => {
  test('add the account’s alarms, and evaluate them at once', () => {
    const { cloudWatch } = setUp();

    cloudWatch.ticks.start();

    expect(cloudWatch.alarms.states()).toMatchObject([{ name: 'a', state: 'OK' }]);
  });

  test('occur every minute of real time, and are not made up for after a sleep', async () => {
    let nowMs = NOW_MS;
    let wake = (): void => undefined;
    const clock = new RunClock(
      {},
      { nowMs: () => nowMs, startTimer: (run) => ((wake = run), () => (wake = () => undefined)) },
    );
    const { cloudWatch, evaluatedSec } = setUp(clock);
    cloudWatch.ticks.start();

    for (const sec of [60, 120, 4000, 4059, 4060]) {
      nowMs = NOW_MS + sec * 1000;
      wake();
      await clock.idle();
    }

    expect(evaluatedSec).toEqual([60, 120, 4000, 4060]);
  });

  test('occur every five minutes while the clock is advanced, and every minute afterwards', async () => {
    const { cloudWatch, clock, evaluatedSec } = setUp();
    cloudWatch.ticks.start();

    await clock.advance(1000);
    await clock.advance(60);

    expect(evaluatedSec).toEqual([60, 360, 660, 960, 1060]);
  });

  test('occur throughout a jump of a day, and in the last half hour of a longer one', async () => {
    const day = setUp();
    const month = setUp();
    for (const { cloudWatch } of [day, month]) cloudWatch.ticks.start();

    await day.clock.advance(DAY_SEC);
    await month.clock.advance(30 * DAY_SEC);

    expect(day.evaluatedSec).toEqual(range(60, DAY_SEC, 300));
    const endSec = 30 * DAY_SEC;
    expect(month.evaluatedSec).toEqual([60, ...range(endSec - 1800, endSec, 300)]);
  });

  test('evaluate every alarm after the clock was advanced', async () => {
    const { cloudWatch, clock, evaluate } = setUp();
    evaluate.mockRestore();
    cloudWatch.ticks.start();
    await clock.advance(30);
    cloudWatch.put([{ ...FAULTS, value: 1, timestampMs: NOW_MS + 20_000 }]);

    cloudWatch.ticks.settle();

    expect(cloudWatch.alarms.states()).toMatchObject([{ state: 'ALARM', stateUpdatedMs: NOW_MS + 30_000 }]);
  });

  // Amazon SQS Developer Guide, "Available CloudWatch metrics for Amazon SQS".
  test('count the visible messages of queues that were ever used', async () => {
    const { account, cloudWatch, clock } = setUp();
    const depth = {
      namespace: 'AWS/SQS',
      metricName: 'ApproximateNumberOfMessagesVisible',
      dimensions: { QueueName: 'dead' },
      unit: 'Count',
      statistic: 'Maximum' as const,
    };
    const at = (sec: number) => cloudWatch.store.query(depth, NOW_MS + sec * 1000, NOW_MS + (sec + 1) * 1000);
    cloudWatch.ticks.start();
    await clock.advance(60);
    const message = { messageId: 'm', body: '', attributes: {}, sentAtMs: NOW_MS };
    const messages = [0, 0, NOW_MS + 3_600_000].map((visibleAtMs) => ({ ...message, visibleAtMs }));
    account.queues.get(QUEUE_ARN)!.messages = messages;

    await clock.advance(60);
    account.queues.get(QUEUE_ARN)!.messages = [];
    await clock.advance(60);

    expect([at(60), at(120), at(180)]).toEqual([undefined, 2, 0]);
  });

  test('stop with the run', async () => {
    const { cloudWatch, clock, evaluatedSec } = setUp();
    cloudWatch.ticks.start();

    cloudWatch.ticks.stop();
    await clock.advance(600);

    expect(evaluatedSec).toEqual([]);
  });
});

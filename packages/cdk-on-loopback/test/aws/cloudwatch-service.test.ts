import {
  type CloudWatchClient,
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
  type DescribeAlarmsCommandInput,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';
import { parseMetricMath } from '../../src/cloudwatch/parse-metric-math';
import { compositeAlarm, FAULTS, metricAlarm, TOPIC_ARN } from '../cloudwatch/alarm-definitions';
import { expectDenied, LocalAws } from '../../src/testing/local-aws';
import { allow } from '../support/policies';

let aws: LocalAws;
let client: CloudWatchClient;

beforeEach(async () => {
  aws = new LocalAws();
  const { alarms, store } = aws.cloudWatch;
  const nowMs = aws.runClock.nowMs();
  alarms.add(metricAlarm('one/red', { description: 'What. Means. Do.' }), nowMs);
  alarms.add(metricAlarm('one/green', { threshold: 5 }), nowMs);
  alarms.add(metricAlarm('two/green', { threshold: 5 }), nowMs);
  alarms.add(compositeAlarm('one/all', 'ALARM("one/red") OR ALARM("one/green")'), nowMs);
  store.put({ ...FAULTS, value: 1, timestampMs: nowMs });
  alarms.evaluate(nowMs + 1000);
  await aws.start();
  client = aws.cloudWatchClient();
});
afterEach(() => aws.stop());

const namesOf = async (input: DescribeAlarmsCommandInput, from = client): Promise<(string | undefined)[]> => {
  const { MetricAlarms = [], CompositeAlarms = [] } = await from.send(new DescribeAlarmsCommand(input));
  return [...MetricAlarms, ...CompositeAlarms].map(({ AlarmName }) => AlarmName);
};
const BOTH: Pick<DescribeAlarmsCommandInput, 'AlarmTypes'> = {
  AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
};

it('describes a metric alarm with its state', async () => {
  const { MetricAlarms } = await client.send(new DescribeAlarmsCommand({ AlarmNames: ['one/red'] }));

  expect(MetricAlarms).toEqual([
    {
      AlarmName: 'one/red',
      AlarmArn: 'arn:aws:cloudwatch:eu-west-1:111111111111:alarm:one/red',
      AlarmDescription: 'What. Means. Do.',
      ActionsEnabled: true,
      AlarmActions: [],
      OKActions: [],
      InsufficientDataActions: [],
      StateValue: 'ALARM',
      StateReason: expect.stringContaining('1 of the last 1 datapoints') as unknown,
      StateUpdatedTimestamp: expect.any(Date) as unknown,
      StateTransitionedTimestamp: expect.any(Date) as unknown,
      AlarmConfigurationUpdatedTimestamp: expect.any(Date) as unknown,
      Namespace: 'N',
      MetricName: 'Faults',
      Dimensions: [],
      Statistic: 'Sum',
      Period: 300,
      EvaluationPeriods: 1,
      DatapointsToAlarm: 1,
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    },
  ]);
});

it('describes an alarm on an expression by its parts', async () => {
  const query = { ...FAULTS, unit: 'Count', statistic: 'Sum' as const };
  const alarm = metricAlarm('math', {
    parts: new Map([
      ['e', { expression: parseMetricMath('m * 2'), text: 'm * 2' }],
      ['m', { query }],
    ]),
    result: 'e',
  });
  aws.cloudWatch.alarms.add(alarm, 0);

  const { MetricAlarms } = await client.send(new DescribeAlarmsCommand({ AlarmNames: ['math'] }));

  const Metric = { Namespace: 'N', MetricName: 'Faults', Dimensions: [] };
  expect(MetricAlarms?.[0]?.Metrics).toEqual([
    { Id: 'e', Expression: 'm * 2', ReturnData: true },
    { Id: 'm', MetricStat: { Metric, Period: 300, Stat: 'Sum', Unit: 'Count' }, ReturnData: false },
  ]);
});

it('describes a composite alarm with its rule', async () => {
  const { MetricAlarms, CompositeAlarms } = await client.send(
    new DescribeAlarmsCommand({ AlarmTypes: ['CompositeAlarm'] }),
  );

  expect(MetricAlarms).toEqual([]);
  expect(CompositeAlarms).toMatchObject([
    {
      AlarmName: 'one/all',
      AlarmRule: 'ALARM("one/red") OR ALARM("one/green")',
      StateValue: 'ALARM',
      AlarmActions: [TOPIC_ARN],
    },
  ]);
});

// API_DescribeAlarms, AlarmTypes: without it only metric alarms are returned.
it.each<[string, DescribeAlarmsCommandInput, string[]]>([
  ['metric alarms, if no type is given', {}, ['one/green', 'one/red', 'two/green']],
  ['both types', BOTH, ['one/green', 'one/red', 'two/green', 'one/all']],
  ['a prefix', { ...BOTH, AlarmNamePrefix: 'one/' }, ['one/green', 'one/red', 'one/all']],
  ['names', { AlarmNames: ['two/green', 'none'] }, ['two/green']],
  ['a state', { ...BOTH, StateValue: 'ALARM' }, ['one/red', 'one/all']],
])('filters by %s', async (_, input, expected) => {
  expect(await namesOf(input)).toEqual(expected);
});

it('returns pages', async () => {
  const pages: number[] = [];
  for await (const page of paginateDescribeAlarms({ client, pageSize: 3 }, { ...BOTH })) {
    pages.push((page.MetricAlarms?.length ?? 0) + (page.CompositeAlarms?.length ?? 0));
  }

  expect(pages).toEqual([3, 1]);
});

// API_DescribeAlarms: composite alarms are returned only to those whose permission is scoped to *.
it.each<[string, string, string[]]>([
  ['shows composite alarms with permission on *', '*', ['one/green', 'one/red', 'two/green', 'one/all']],
  [
    'leaves composite alarms out with a narrower permission',
    'arn:aws:cloudwatch:*:111111111111:alarm:*',
    ['one/green', 'one/red', 'two/green'],
  ],
])('%s', async (_, Resource, expected) => {
  const key = aws.roleKey(allow('cloudwatch:DescribeAlarms', Resource));

  expect(await namesOf(BOTH, aws.cloudWatchClient(key))).toEqual(expected);
});

it.each([
  ['DescribeAlarms', new DescribeAlarmsCommand({})],
  ['DescribeAlarmHistory', new DescribeAlarmHistoryCommand({ AlarmName: 'a' })],
])('denies a caller without %s', async (action, command) => {
  const stranger = aws.cloudWatchClient(aws.roleKey());

  await expectDenied(stranger.send(command), `cloudwatch:${action}`);
});

it('returns the history of an alarm, latest first', async () => {
  const { alarms } = aws.cloudWatch;
  alarms.evaluate(aws.runClock.nowMs() + 3_600_000);

  const history = (input: object) => client.send(new DescribeAlarmHistoryCommand(input));
  const red = await history({ AlarmName: 'one/red' });
  const composites = await history({ AlarmTypes: ['CompositeAlarm'], ScanBy: 'TimestampAscending' });
  const actions = await history({ HistoryItemType: 'Action' });

  expect(red.AlarmHistoryItems?.map(({ HistorySummary }) => HistorySummary)).toEqual([
    'Alarm updated from ALARM to OK',
    'Alarm updated from INSUFFICIENT_DATA to ALARM',
  ]);
  const failed = {
    AlarmName: 'one/all',
    AlarmType: 'CompositeAlarm',
    HistoryItemType: 'Action',
    HistorySummary: `Failed to execute action ${TOPIC_ARN}. Received error: "Topic does not exist"`,
  };
  expect(composites.AlarmHistoryItems).toMatchObject([
    { AlarmType: 'CompositeAlarm', HistoryItemType: 'StateUpdate' },
    failed,
    { HistorySummary: 'Alarm updated from ALARM to OK' },
  ]);
  expect(actions.AlarmHistoryItems).toEqual([]);
});

it('limits a history to the requested time', async () => {
  const StartDate = new Date(aws.runClock.nowMs() + 60_000);

  const { AlarmHistoryItems } = await client.send(new DescribeAlarmHistoryCommand({ StartDate }));

  expect(AlarmHistoryItems).toEqual([]);
});

import { emptyAccount, provisionResources } from '../../../support/local/stacks';

const TOPIC = 'arn:aws:sns:eu-west-1:111111111111:pages';
const ALARM = {
  AlarmName: 'latchkey-staging-mea/token-life',
  AlarmDescription: 'What. Means. Do.',
  AlarmActions: [TOPIC],
  Namespace: 'Latchkey',
  MetricName: 'TokenLifeLeft',
  Dimensions: [{ Name: 'environment', Value: 'staging' }],
  Statistic: 'Minimum',
  Period: 300,
  Unit: 'Seconds',
  ComparisonOperator: 'LessThanThreshold',
  Threshold: 300,
  EvaluationPeriods: 1,
  TreatMissingData: 'notBreaching',
};
const METRIC = {
  Metric: {
    Namespace: 'AWS/ApiGateway',
    MetricName: '5XXError',
    Dimensions: [{ Name: 'ApiName', Value: 'a' }],
  },
  Period: 900,
  Stat: 'Sum',
};
const MATH = {
  ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  Threshold: 25,
  EvaluationPeriods: 2,
  DatapointsToAlarm: 1,
};
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(ALARM).filter(([name]) => !names.includes(name)));

const provisioned = (properties: Record<string, unknown>) => {
  const account = emptyAccount();
  provisionResources({ Alarm: ['AWS::CloudWatch::Alarm', properties] }, { account });
  return [...account.alarms.values()][0];
};

describe('AWS::CloudWatch::Alarm', () => {
  test('on a metric', () => {
    expect(provisioned(ALARM)).toEqual({
      kind: 'metric',
      arn: 'arn:aws:cloudwatch:eu-west-1:111111111111:alarm:latchkey-staging-mea/token-life',
      name: 'latchkey-staging-mea/token-life',
      description: 'What. Means. Do.',
      actionsEnabled: true,
      actions: { ALARM: [TOPIC], OK: [], INSUFFICIENT_DATA: [] },
      parts: new Map([
        [
          'm',
          {
            query: {
              namespace: 'Latchkey',
              metricName: 'TokenLifeLeft',
              dimensions: { environment: 'staging' },
              unit: 'Seconds',
              statistic: 'Minimum',
            },
          },
        ],
      ]),
      result: 'm',
      periodSec: 300,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      threshold: 300,
      comparison: 'LessThanThreshold',
      missingData: 'notBreaching',
      warmUpSec: 0,
    });
  });

  test('that warms up', () => {
    const warmUp = { WarmUpPeriodDurationInMinutes: 15 };

    expect(provisioned({ ...ALARM, WarmUpConfiguration: warmUp })).toMatchObject({ warmUpSec: 900 });
    expect(() =>
      provisioned({
        ...ALARM,
        WarmUpConfiguration: { ...warmUp, OnlyStartEvaluatingAfterWarmUpPeriodEnds: true },
      }),
    ).toThrow('OnlyStartEvaluatingAfterWarmUpPeriodEnds');
  });

  test('on a percentile', () => {
    const alarm = provisioned({ ...without('Statistic'), ExtendedStatistic: 'p90' });

    expect(alarm).toMatchObject({ parts: new Map([['m', { query: { statistic: 'p90' } }]]) });
  });

  test('on an expression over metrics, which may come before them', () => {
    const alarm = provisioned({
      ...MATH,
      Metrics: [
        { Id: 'expr_1', Expression: '100 * errors', Label: 'errors in %' },
        { Id: 'errors', MetricStat: METRIC, ReturnData: false },
      ],
    });

    expect(alarm).toMatchObject({
      result: 'expr_1',
      periodSec: 900,
      evaluationPeriods: 2,
      datapointsToAlarm: 1,
      missingData: 'missing',
      parts: new Map<string, unknown>([
        ['expr_1', expect.objectContaining({ text: '100 * errors' })],
        [
          'errors',
          {
            query: {
              namespace: 'AWS/ApiGateway',
              metricName: '5XXError',
              dimensions: { ApiName: 'a' },
              statistic: 'Sum',
            },
          },
        ],
      ]),
    });
  });

  const metric = { Id: 'm', MetricStat: METRIC, ReturnData: false };
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['a property it does not know', { ...ALARM, ThresholdMetricId: 'x' }, /ThresholdMetricId/],
    ['a statistic it does not know', { ...ALARM, Statistic: 'TM90' }, /Statistic/],
    ['an action that is no topic', { ...ALARM, AlarmActions: ['arn:aws:lambda:x'] }, /only a topic/],
    ['no metric at all', without('MetricName'), /needs Namespace, MetricName/],
    [
      'math it does not know',
      { ...MATH, Metrics: [metric, { Id: 'e', Expression: 'RATE(m)' }] },
      /RATE\(m\)/,
    ],
    [
      'an expression over an unknown metric',
      { ...MATH, Metrics: [metric, { Id: 'e', Expression: 'm + n' }] },
      /reads n/,
    ],
    [
      'an expression that needs itself',
      {
        ...MATH,
        Metrics: [metric, { Id: 'e', Expression: 'm + f' }, { Id: 'f', Expression: 'e', ReturnData: false }],
      },
      /needs itself/,
    ],
    [
      'two results',
      { ...MATH, Metrics: [metric, { Id: 'e', Expression: 'm' }, { Id: 'f', Expression: 'm' }] },
      /exactly one/,
    ],
    [
      'several periods',
      {
        ...MATH,
        Metrics: [
          metric,
          { Id: 'n', MetricStat: { ...METRIC, Period: 60 }, ReturnData: false },
          { Id: 'e', Expression: 'm + n' },
        ],
      },
      /one and the same period/,
    ],
    ['an id twice', { ...MATH, Metrics: [metric, { ...metric, ReturnData: true }] }, /m twice/],
    [
      'a part that is two things',
      { ...MATH, Metrics: [{ ...metric, Expression: '1', ReturnData: true }] },
      /both/,
    ],
  ])('refuses %s', (_, properties, message) => {
    expect(() => provisioned(properties)).toThrow(message);
  });

  test('refuses a name that is taken', () => {
    const Alarm: [string, Record<string, unknown>] = ['AWS::CloudWatch::Alarm', ALARM];

    expect(() => provisionResources({ Alarm, Again: Alarm })).toThrow(/token-life already exists/);
  });
});

describe('AWS::CloudWatch::CompositeAlarm', () => {
  const rule = (text: unknown): [string, Record<string, unknown>] => [
    'AWS::CloudWatch::CompositeAlarm',
    { AlarmName: 'tokens', AlarmRule: text },
  ];

  test('watches alarms of the account, by name or ARN', () => {
    const account = emptyAccount();

    provisionResources(
      {
        Alarm: ['AWS::CloudWatch::Alarm', ALARM],
        Tokens: rule({
          'Fn::Sub': 'ALARM("${Alarm.Arn}") OR ALARM("latchkey-staging-mea/token-life")',
        }),
      },
      { account },
    );

    expect([...account.alarms.values()][1]).toMatchObject({
      kind: 'composite',
      name: 'tokens',
      rule: { kind: 'or' },
    });
  });

  test.each([
    ['an alarm that is not there', 'ALARM("none")', /no alarm none/],
    ['a rule it cannot read', 'ALARM(', /alarm rule/],
  ])('refuses %s', (_, text, message) => {
    expect(() => provisionResources({ Tokens: rule(text) })).toThrow(message);
  });
});

describe('AWS::CloudWatch::Dashboard', () => {
  const dashboard = (DashboardBody: unknown): [string, Record<string, unknown>] => [
    'AWS::CloudWatch::Dashboard',
    { DashboardName: 'latchkey', DashboardBody },
  ];

  test('must have JSON for its body', () => {
    const { resources } = provisionResources({ Good: dashboard('{"widgets":[]}') });

    expect(resources.get('Good')?.ref).toBe('latchkey');
    expect(() => provisionResources({ Bad: dashboard('{"widgets":[') })).toThrow(
      /Bad: the dashboard's body is no JSON/,
    );
  });
});

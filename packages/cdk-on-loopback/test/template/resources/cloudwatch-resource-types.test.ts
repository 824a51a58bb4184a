import { accountWith, provisionResources } from '../../../src/testing/stacks';

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

const provisioned = (properties: Record<string, unknown>) =>
  [...accountWith({ Alarm: ['AWS::CloudWatch::Alarm', properties] }).alarms.values()][0];
const QUERY = { namespace: 'AWS/ApiGateway', metricName: '5XXError', dimensions: { ApiName: 'a' } };

describe('AWS::CloudWatch::Alarm', () => {
  test('on a metric', () => {
    const query = {
      namespace: 'Latchkey',
      metricName: 'TokenLifeLeft',
      dimensions: { environment: 'staging' },
      unit: 'Seconds',
      statistic: 'Minimum',
    };

    expect(provisioned(ALARM)).toEqual({
      kind: 'metric',
      arn: 'arn:aws:cloudwatch:eu-west-1:111111111111:alarm:latchkey-staging-mea/token-life',
      name: 'latchkey-staging-mea/token-life',
      description: 'What. Means. Do.',
      actionsEnabled: true,
      actions: { ALARM: [TOPIC], OK: [], INSUFFICIENT_DATA: [] },
      parts: new Map([['m', { query }]]),
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
    const later = { ...warmUp, OnlyStartEvaluatingAfterWarmUpPeriodEnds: true };

    expect(provisioned({ ...ALARM, WarmUpConfiguration: warmUp })).toMatchObject({ warmUpSec: 900 });
    expect(() => provisioned({ ...ALARM, WarmUpConfiguration: later })).toThrow('OnlyStartEvaluatingAfter');
  });

  test('on a percentile', () => {
    const alarm = provisioned({ ...without('Statistic'), ExtendedStatistic: 'p90' });

    expect(alarm).toMatchObject({ parts: new Map([['m', { query: { statistic: 'p90' } }]]) });
  });

  test('on an expression, which may come before its metrics', () => {
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
        ['errors', { query: { ...QUERY, statistic: 'Sum' } }],
      ]),
    });
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['an unsupported statistic', { ...ALARM, Statistic: 'TM90' }, /Statistic/],
    ['an action that is not a topic', { ...ALARM, AlarmActions: ['arn:aws:lambda:x'] }, /only a topic/],
    ['no metric at all', without('MetricName'), /needs Namespace, MetricName/],
  ])('refuses %s', (_, properties, message) => {
    expect(() => provisioned(properties)).toThrow(message);
  });

  const m = { Id: 'm', MetricStat: METRIC, ReturnData: false };
  const everyMinute = { ...m, Id: 'n', MetricStat: { ...METRIC, Period: 60 } };
  const e = (Expression: string) => ({ Id: 'e', Expression });
  const f = (Expression: string, more: object = {}) => ({ Id: 'f', Expression, ...more });
  test.each<[string, object[], RegExp]>([
    ['unsupported math', [m, e('RATE(m)')], /RATE\(m\)/],
    ['an expression over an unknown metric', [m, e('m + n')], /refers to n/],
    [
      'an expression that refers to itself',
      [m, e('m + f'), f('e', { ReturnData: false })],
      /refers to itself/,
    ],
    ['two results', [m, e('m'), f('m')], /exactly one/],
    ['several periods', [m, everyMinute, e('m + n')], /the same period/],
    ['an id twice', [m, { ...m, ReturnData: true }], /m twice/],
    ['a part that is a metric and an expression', [{ ...m, Expression: '1', ReturnData: true }], /both/],
  ])('refuses metrics with %s', (_, Metrics, message) => {
    expect(() => provisioned({ ...MATH, Metrics })).toThrow(message);
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
    const { alarms } = accountWith({
      Alarm: ['AWS::CloudWatch::Alarm', ALARM],
      Tokens: rule({ 'Fn::Sub': 'ALARM("${Alarm.Arn}") OR ALARM("latchkey-staging-mea/token-life")' }),
    });

    expect([...alarms.values()][1]).toMatchObject({
      kind: 'composite',
      name: 'tokens',
      rule: { kind: 'or' },
    });
  });

  test.each([
    ['an unknown alarm', 'ALARM("none")', /no alarm none/],
    ['a malformed rule', 'ALARM(', /alarm rule/],
  ])('refuses %s', (_, text, message) => {
    expect(() => provisionResources({ Tokens: rule(text) })).toThrow(message);
  });
});

describe('AWS::CloudWatch::Dashboard', () => {
  const dashboard = (DashboardBody: unknown): [string, Record<string, unknown>] => [
    'AWS::CloudWatch::Dashboard',
    { DashboardName: 'latchkey', DashboardBody, Tags: [{ Key: 'team', Value: 'red' }] },
  ];

  test('must have a JSON body', () => {
    const { resources } = provisionResources({ Good: dashboard('{"widgets":[]}') });

    expect(resources.get('Good')?.ref).toBe('latchkey');
    expect(() => provisionResources({ Bad: dashboard('{"widgets":[') })).toThrow(
      /Bad: the dashboard's body is not JSON/,
    );
  });
});

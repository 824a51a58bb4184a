import { invocationMetrics, requestMetrics } from '../../src/cloudwatch/vended-metrics';
import { FunctionHost } from '../support/function-host';
import { NOW_MS } from '../../src/testing/stacks';

const valuesOf = (data: ReturnType<typeof invocationMetrics>): Record<string, number> =>
  Object.fromEntries(data.map(({ metricName, value }) => [metricName, value]));

// AWS Lambda Developer Guide, "Types of metrics for Lambda functions".
describe('the metrics of invocations', () => {
  const told: ReturnType<typeof invocationMetrics>[] = [];
  let host: FunctionHost;
  beforeEach(() => {
    told.length = 0;
    host = new FunctionHost({ onInvocation: (ended) => told.push(invocationMetrics(ended)) });
  });
  afterEach(() => host.close());

  const CODE = `exports.handler = async ({ fails }) => { if (fails) throw new Error('no'); return 1; };`;

  test('count a successful and a failed one, with their durations', async () => {
    const fn = host.add(CODE);

    await host.invoker.invoke(fn.arn, Buffer.from('{}'));
    await host.invoker.invoke(fn.arn, Buffer.from('{"fails":true}'));

    const took = expect.any(Number) as number;
    expect(told.map(valuesOf)).toEqual([
      { Invocations: 1, Errors: 0, Throttles: 0, Duration: took },
      { Invocations: 1, Errors: 1, Throttles: 0, Duration: took },
    ]);
    expect(told[0]?.map(({ metricName, unit }) => [metricName, unit])).toEqual([
      ['Invocations', 'Count'],
      ['Errors', 'Count'],
      ['Throttles', 'Count'],
      ['Duration', 'Milliseconds'],
    ]);
    expect(told[0]?.[0]).toMatchObject({
      namespace: 'AWS/Lambda',
      dimensions: { FunctionName: fn.name },
      timestampMs: NOW_MS,
    });
  });

  test('count a throttled request separately, not as an invocation', async () => {
    const fn = host.add(CODE, { reservedConcurrency: 0 });

    await host.invoker.invoke(fn.arn, Buffer.from('{}'));

    expect(told.map(valuesOf)).toEqual([{ Throttles: 1 }]);
  });

  test('count a function that cannot start as an error, without a duration', async () => {
    const fn = host.add(CODE, { roleArn: 'arn:aws:iam::111111111111:role/none' });

    await host.invoker.invoke(fn.arn, Buffer.from('{}'));

    expect(told.map(valuesOf)).toEqual([{ Invocations: 1, Errors: 1, Throttles: 0 }]);
  });
});

// API Gateway Developer Guide, "API Gateway dimensions and metrics".
describe('the metrics of requests', () => {
  test.each([
    [200, 0, 0],
    [422, 1, 0],
    [501, 0, 1],
  ])('of a response %s count it by API and by stage', (statusCode, clientErrors, serverErrors) => {
    const data = requestMetrics({
      apiName: 'api',
      stageName: 'v1',
      receivedAtMs: NOW_MS,
      statusCode,
      latencyMs: 12,
    });

    expect(valuesOf(data)).toEqual({
      Count: 1,
      '4XXError': clientErrors,
      '5XXError': serverErrors,
      Latency: 12,
    });
    expect(data.map(({ dimensions }) => dimensions)).toEqual([
      ...Array.from({ length: 4 }, () => ({ ApiName: 'api' })),
      ...Array.from({ length: 4 }, () => ({ ApiName: 'api', Stage: 'v1' })),
    ]);
  });
});

import { type MeasuredDeployment } from '../../../../core/alarms/metrics';
import { embeddedMetrics } from '../../../../lambdas/shared/adapters/embedded-metrics';
import { captureOutput, jsonLines } from '../../../support/lambdas/captured-output';

const DEPLOYMENT_KEY = { environment: 'staging', platformRegion: 'mea' } as const;
const FULL = { ...DEPLOYMENT_KEY, fullMonitoring: true };

let output: () => string;
beforeEach(() => (output = captureOutput()));
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

type MetricLine = Record<string, unknown> & { _aws: { CloudWatchMetrics: [Directive] } };
interface Directive {
  Namespace: string;
  Dimensions: string[][];
  Metrics: object[];
}

/** The lines that are written after some counts. */
function linesOf(
  count: (metrics: ReturnType<typeof embeddedMetrics>) => void,
  deployment: MeasuredDeployment = FULL,
) {
  const metrics = embeddedMetrics(deployment);
  count(metrics);
  metrics.flush();
  return jsonLines<MetricLine>(output());
}

const directiveOf = (line: MetricLine): Directive => line._aws.CloudWatchMetrics[0];

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
describe('metrics', () => {
  test('are one line of embedded metric format, with its time, and the deployment as dimensions', () => {
    jest.useFakeTimers({ now: 1_769_860_800_000 });
    const [line, ...more] = linesOf((metrics) => {
      metrics.count('TokenRenewed');
      metrics.count('TokenRequest', 3);
    });

    expect(more).toEqual([]);
    expect(directiveOf(line!)).toEqual({
      Namespace: 'Latchkey',
      Dimensions: [['environment', 'platformRegion']],
      Metrics: [
        { Name: 'TokenRenewed', Unit: 'Count' },
        { Name: 'TokenRequest', Unit: 'Count' },
      ],
    });
    expect(line).toMatchObject({
      ...DEPLOYMENT_KEY,
      _aws: { Timestamp: 1_769_860_800_000 },
      TokenRenewed: 1,
      TokenRequest: 3,
    });
  });

  test.each([
    ['latchkey', ['environment', 'platformRegion']],
    ['acme', ['prefix', 'environment', 'platformRegion']],
  ])('have the prefix as a dimension if it is not the usual one: %s', (prefix, names) => {
    const [line] = linesOf((metrics) => metrics.count('TokenRenewed'), { ...FULL, prefix });

    expect(directiveOf(line!).Dimensions).toEqual([names]);
    expect(line!.prefix).toBe(prefix === 'acme' ? 'acme' : undefined);
  });

  test('of a tenant, a kind of credential or a code have it as a third dimension, with a line for each', () => {
    const written = linesOf((metrics) => {
      metrics.count('TokenRenewed');
      metrics.count('CredentialAttention', 2, { tenantId: 'tenant-a' });
      metrics.count('CredentialAttention', 0, { tenantId: 'tenant-b' });
      metrics.count('CredentialAge', 80.5, { kind: 'api-key' });
      metrics.count('DaysToExpiry', 7, { kind: 'api-key' });
      metrics.count('TokenFault', 1, { code: 'tls_failed' });
    });

    expect(written).toMatchObject([
      { ...DEPLOYMENT_KEY, TokenRenewed: 1 },
      { tenantId: 'tenant-a', CredentialAttention: 2 },
      { tenantId: 'tenant-b', CredentialAttention: 0 },
      { kind: 'api-key', CredentialAge: 80.5, DaysToExpiry: 7 },
      { code: 'tls_failed', TokenFault: 1 },
    ]);
    const added = written.map((line) => directiveOf(line).Dimensions[0]!.slice(2).join());
    expect(added).toEqual(['', 'tenantId', 'tenantId', 'kind', 'code']);
  });

  test('that are counted several times keep every count, at most 100 on a line', () => {
    const written = linesOf((metrics) => {
      for (let value = 1; value <= 101; value += 1) metrics.count('TokenRequest', value);
    });

    const first100 = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(written).toMatchObject([{ TokenRequest: first100 }, { TokenRequest: 101 }]);
  });

  test('of a tenant with quotes in its name are still valid JSON', () => {
    const tenantId = '","_aws":{"\n';

    expect(linesOf((metrics) => metrics.count('CredentialAttention', 1, { tenantId }))).toMatchObject([
      { tenantId, CredentialAttention: 1 },
    ]);
  });

  test('are written once, and leave nothing for the next invocation', () => {
    const [, second, ...more] = linesOf((metrics) => {
      metrics.count('TokenRequest');
      metrics.flush();
      metrics.count('TokenRenewed');
    });

    expect(more).toEqual([]);
    expect(second).toMatchObject({ ...DEPLOYMENT_KEY, TokenRenewed: 1 });
    expect(second).not.toHaveProperty('TokenRequest');
  });

  test('that no alarm needs are fields of the log alone, unless monitoring is full', () => {
    const [without, ...withMetrics] = linesOf((metrics) => {
      metrics.count('TokenRequest');
      metrics.count('TokenRequest', 2);
      metrics.flush();
      metrics.count('SweepDuration', 40);
      metrics.count('TokenLifeLeft', 900);
      metrics.flush();
      metrics.count('TokenLifeLeft', 899);
    }, DEPLOYMENT_KEY);

    expect(without).toEqual({ ...DEPLOYMENT_KEY, TokenRequest: 3 });
    expect(withMetrics).toMatchObject([{ SweepDuration: 40, TokenLifeLeft: 900 }, { TokenLifeLeft: 899 }]);
    expect(withMetrics.map((line) => directiveOf(line).Metrics)).toEqual([
      [{ Name: 'SweepDuration', Unit: 'Milliseconds' }],
      [{ Name: 'TokenLifeLeft', Unit: 'Seconds' }],
    ]);
  });

  test('that were not counted since the last line write nothing', () => {
    const written = linesOf((metrics) => {
      metrics.count('TokenRequest');
      metrics.flush();
    }, DEPLOYMENT_KEY);

    expect(written).toEqual([{ ...DEPLOYMENT_KEY, TokenRequest: 1 }]);
  });
});

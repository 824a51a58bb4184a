import { TOKEN_METRICS } from '../../../../contract/metrics';
import { powertoolsMetrics } from '../../../../lambdas/shared/adapters/powertools-metrics';
import { captureOutput } from '../../../support/lambdas/captured-output';

const CELL = { environment: 'staging', platformRegion: 'mea' } as const;

let output: () => string;
beforeEach(() => (output = captureOutput()));
afterEach(() => jest.restoreAllMocks());

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
describe('metrics', () => {
  test('are one line of embedded metric format, with the cell as dimensions', () => {
    const metrics = powertoolsMetrics(CELL);

    for (const name of TOKEN_METRICS) metrics.count(name);
    metrics.flush();

    const line = JSON.parse(output()) as Record<string, unknown> & { _aws: { CloudWatchMetrics: unknown[] } };
    const directive = line._aws.CloudWatchMetrics[0] as {
      Namespace: string;
      Dimensions: string[][];
      Metrics: object[];
    };
    expect(directive.Namespace).toBe('Latchkey');
    expect(directive.Dimensions.map((names) => [...names].sort())).toEqual([
      ['environment', 'platformRegion'],
    ]);
    expect(directive.Metrics).toEqual(TOKEN_METRICS.map((Name) => ({ Name, Unit: 'Count' })));
    expect(line).toMatchObject({ ...CELL, ...Object.fromEntries(TOKEN_METRICS.map((name) => [name, 1])) });
  });

  test('with a code have it as a third dimension, on a line of its own for every code', () => {
    const metrics = powertoolsMetrics(CELL);

    metrics.count('TokenRenewed');
    metrics.count('TokenFault', 1, { code: 'tls_failed' });
    metrics.count('TokenFault', 1, { code: 'store_throttled' });
    metrics.count('TokenFault', 1, { code: 'tls_failed' });
    metrics.flush();

    const lines = output()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { _aws: { CloudWatchMetrics: [{ Dimensions: string[][] }] } });
    expect(lines).toEqual([
      expect.objectContaining({ ...CELL, TokenRenewed: 1 }),
      expect.objectContaining({ ...CELL, code: 'tls_failed', TokenFault: [1, 1] }),
      expect.objectContaining({ ...CELL, code: 'store_throttled', TokenFault: 1 }),
    ]);
    expect(lines[0]).not.toHaveProperty('code');
    expect(lines.map(({ _aws }) => _aws.CloudWatchMetrics[0].Dimensions)).toEqual([
      [['environment', 'platformRegion']],
      [['environment', 'platformRegion', 'code']],
      [['environment', 'platformRegion', 'code']],
    ]);
  });

  test('that are counted several times keep every count', () => {
    const metrics = powertoolsMetrics(CELL);

    metrics.count('TokenRequest');
    metrics.count('TokenRequest', 2);
    metrics.flush();

    expect(JSON.parse(output())).toMatchObject({ TokenRequest: [1, 2] });
  });

  test('are written once, and leave nothing for the next invocation', () => {
    const metrics = powertoolsMetrics(CELL);
    metrics.count('TokenRequest');
    metrics.flush();

    metrics.count('TokenRenewed');
    metrics.flush();

    const lines = output().trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1]!)).toMatchObject({ ...CELL, TokenRenewed: 1 });
    expect(JSON.parse(lines[1]!)).not.toHaveProperty('TokenRequest');
  });

  test('that were not counted write nothing', () => {
    powertoolsMetrics(CELL).flush();

    expect(output()).toBe('');
  });
});

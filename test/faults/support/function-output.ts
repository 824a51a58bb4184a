import { type LogLine } from './world';

/** The dimensions that every metric has. */
const DEPLOYMENT_KEY = ['environment', 'platformRegion'];

/** One line in embedded metric format. */
interface MetricLine {
  _aws: { CloudWatchMetrics: { Dimensions: string[][]; Metrics: { Name: string }[] }[] };
  [name: string]: unknown;
}

/** Parses the log lines in a function's output. */
export function logLinesOf(output: string): LogLine[] {
  return jsonLines(output).filter((line): line is LogLine => typeof (line as LogLine).level === 'string');
}

/**
 * Sums a function's metrics by name, or by name and additional dimension, as in `TokenFault tls_failed`.
 * @see
 *   https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function metricSumsOf(output: string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const line of jsonLines(output).filter((each): each is MetricLine => '_aws' in each)) {
    for (const { Dimensions, Metrics } of line._aws.CloudWatchMetrics) {
      const own = Dimensions.flat().filter((dimension) => !DEPLOYMENT_KEY.includes(dimension));
      for (const { Name } of Metrics) {
        const values = [line[Name]].flat() as number[];
        const name = [Name, ...own.map((dimension) => line[dimension])].join(' ');
        sums[name] = values.reduce((sum, value) => sum + value, sums[name] ?? 0);
      }
    }
  }
  return sums;
}

function jsonLines(output: string): object[] {
  return output.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null ? [value] : [];
    } catch {
      return [];
    }
  });
}

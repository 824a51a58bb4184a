import { isRecord } from '../aws/input';
import { type MetricDatum } from './metric-store';

const MOST_DIMENSIONS = 30;
const MOST_METRICS = 100;
const MOST_VALUES = 100;

/**
 * The metrics embedded in a log line; none in a line that has none. As on CloudWatch, what breaks the format is left out
 * without a word: a line without a time, a directive that names a dimension which the line does not have.
 * @see Amazon CloudWatch User Guide, "Specification: Embedded metric format"
 */
export function embeddedMetrics(line: string): MetricDatum[] {
  if (!line.startsWith('{') || !line.includes('"_aws"')) return [];
  const root = parseObject(line);
  const metadata = root?._aws;
  if (!root || !isRecord(metadata)) return [];
  const { Timestamp: timestampMs, CloudWatchMetrics: directives } = metadata;
  if (typeof timestampMs !== 'number' || !Array.isArray(directives)) return [];
  return directives.flatMap((directive: unknown) => directiveMetrics(directive, root, timestampMs));
}

function directiveMetrics(
  directive: unknown,
  root: Record<string, unknown>,
  timestampMs: number,
): MetricDatum[] {
  if (!isRecord(directive)) return [];
  const { Namespace: namespace, Dimensions: sets, Metrics: metrics } = directive;
  if (typeof namespace !== 'string' || !Array.isArray(sets) || !Array.isArray(metrics)) return [];
  if (metrics.length > MOST_METRICS) return [];
  const dimensionSets = sets.map((set: unknown) => dimensionsOf(set, root));
  if (dimensionSets.includes(undefined)) return [];
  return metrics.flatMap((metric: unknown) => {
    const { Name: metricName, Unit: unit } = isRecord(metric) ? metric : {};
    if (typeof metricName !== 'string') return [];
    return dimensionSets.flatMap((dimensions) =>
      valuesOf(root[metricName]).map((value) => ({
        namespace,
        metricName,
        dimensions: dimensions!,
        ...(typeof unit === 'string' ? { unit } : {}),
        value,
        timestampMs,
      })),
    );
  });
}

/** Undefined when the line lacks one, or has too many. */
function dimensionsOf(set: unknown, root: Record<string, unknown>): Record<string, string> | undefined {
  if (!Array.isArray(set) || set.length > MOST_DIMENSIONS) return undefined;
  const entries = set.map((name: unknown) => [String(name), root[String(name)]] as const);
  if (entries.some(([, value]) => typeof value !== 'string' || value === '')) return undefined;
  return Object.fromEntries(entries) as Record<string, string>;
}

function valuesOf(target: unknown): number[] {
  const values: unknown[] = Array.isArray(target) ? target : [target];
  const isUsable = values.length <= MOST_VALUES && values.every((value) => Number.isFinite(value));
  return isUsable ? (values as number[]) : [];
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

import { isJsonObject, parseJsonObject } from '../json-object';
import { type MetricDatum } from './metric-store';

const MAX_DIMENSIONS = 30;
const MAX_METRICS = 100;
const MAX_VALUES = 100;
/** Dimension sets, metrics and values multiply, so a short line could stand for billions. */
const MAX_DATA = 50_000;

const HOUR_MS = 60 * 60 * 1000;
const MAX_AGE_MS = 14 * 24 * HOUR_MS;
const MAX_AHEAD_MS = 2 * HOUR_MS;

/**
 * Parses the metrics embedded in a log line, if any. As on CloudWatch, invalid ones are ignored silently: a timestamp that
 * is missing or far from the time of logging, or a directive with a dimension that the line lacks.
 * @see Amazon CloudWatch User Guide, "Specification: Embedded metric format"
 * @see CloudWatch API Reference, API_MetricDatum (Timestamp)
 */
export function embeddedMetrics(line: string, loggedAtMs: number): MetricDatum[] {
  if (!line.startsWith('{') || !line.includes('"_aws"')) return [];
  const root = parseJsonObject(line);
  const metadata = root?._aws;
  if (!root || !isJsonObject(metadata)) return [];
  const { Timestamp: timestampMs, CloudWatchMetrics: directives } = metadata;
  if (typeof timestampMs !== 'number' || !Array.isArray(directives)) return [];
  if (timestampMs < loggedAtMs - MAX_AGE_MS || timestampMs > loggedAtMs + MAX_AHEAD_MS) return [];
  const data: MetricDatum[] = [];
  for (const directive of directives as unknown[]) {
    data.push(...directiveMetrics(directive, root, timestampMs));
    if (data.length > MAX_DATA) return [];
  }
  return data;
}

function directiveMetrics(
  directive: unknown,
  root: Record<string, unknown>,
  timestampMs: number,
): MetricDatum[] {
  if (!isJsonObject(directive)) return [];
  const { Namespace: namespace, Dimensions: sets, Metrics: metrics } = directive;
  if (typeof namespace !== 'string' || !Array.isArray(sets) || !Array.isArray(metrics)) return [];
  if (metrics.length > MAX_METRICS || sets.length * metrics.length > MAX_DATA / MAX_VALUES) return [];
  const dimensionSets = sets.map((set: unknown) => dimensionsOf(set, root));
  if (dimensionSets.includes(undefined)) return [];
  return metrics.flatMap((metric: unknown) => {
    const { Name: metricName, Unit: unit } = isJsonObject(metric) ? metric : {};
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

/** @returns undefined if the line lacks a dimension, or there are too many */
function dimensionsOf(set: unknown, root: Record<string, unknown>): Record<string, string> | undefined {
  if (!Array.isArray(set) || set.length > MAX_DIMENSIONS) return undefined;
  if (set.some((name) => typeof name !== 'string')) return undefined;
  const entries = (set as string[]).map((name) => [name, root[name]] as const);
  if (entries.some(([, value]) => typeof value !== 'string' || value === '')) return undefined;
  return Object.fromEntries(entries) as Record<string, string>;
}

function valuesOf(target: unknown): number[] {
  const values: unknown[] = Array.isArray(target) ? target : [target];
  const isUsable = values.length <= MAX_VALUES && values.every((value) => Number.isFinite(value));
  return isUsable ? (values as number[]) : [];
}

import { firstIndex } from '../first-index';

/** One value of a metric, as in `PutMetricData`. */
export interface MetricDatum {
  namespace: string;
  metricName: string;
  dimensions: Readonly<Record<string, string>>;
  /** CloudWatch's name of the unit: `Count`, `Seconds`, `Milliseconds`, `None`. @default 'None' */
  unit?: string;
  value: number;
  timestampMs: number;
}

/** A percentile, for example `p90` or `p99.9`. */
export type Percentile = `p${number}`;
export const SIMPLE_STATISTICS = ['Average', 'Maximum', 'Minimum', 'SampleCount', 'Sum'] as const;
export type Statistic = (typeof SIMPLE_STATISTICS)[number] | Percentile;

export interface MetricQuery {
  namespace: string;
  metricName: string;
  /** Must match exactly: a metric with another dimension is a different metric. */
  dimensions: Readonly<Record<string, string>>;
  /** Restricts the values to this unit; absent for any unit. */
  unit?: string;
  statistic: Statistic;
}

export type MetricName = Pick<MetricDatum, 'namespace' | 'metricName' | 'dimensions'>;

/** By time. */
type Series = Required<Pick<MetricDatum, 'timestampMs' | 'value' | 'unit'>>[];

const DAY_MS = 24 * 60 * 60 * 1000;
/** Longer than the 7 days that an alarm can look back. */
const KEPT_MS = 8 * DAY_MS;

/**
 * The metrics of an account for the last eight days.
 * @see Amazon CloudWatch User Guide, "Metrics concepts"
 */
export class MetricStore {
  private readonly series = new Map<string, Series>();
  /** Caches the keys of queries, which alarms repeat every minute. */
  private readonly queryKeys = new WeakMap<MetricQuery, string>();

  put(datum: MetricDatum): void {
    const { timestampMs, value, unit = 'None' } = datum;
    const key = keyOf(datum);
    const series = this.series.get(key) ?? [];
    this.series.set(key, series);
    series.splice(firstFrom(series, timestampMs + 1), 0, { timestampMs, value, unit });
    forget(series);
  }

  /** The statistic of the values in [`startMs`, `endMs`); undefined if there are none, even for `SampleCount`. */
  query(query: MetricQuery, startMs: number, endMs: number): number | undefined {
    const series = this.series.get(this.keyOfQuery(query)) ?? [];
    const values = series
      .slice(firstFrom(series, startMs), firstFrom(series, endMs))
      .filter(({ unit }) => query.unit === undefined || unit === query.unit)
      .map(({ value }) => value);
    return statisticOf(query.statistic, values);
  }

  /** The latest value of a metric, in any unit; undefined if it has none. */
  latest(metric: MetricName): Pick<MetricDatum, 'value' | 'timestampMs'> | undefined {
    const { value, timestampMs } = this.series.get(keyOf(metric))?.at(-1) ?? {};
    return value === undefined || timestampMs === undefined ? undefined : { value, timestampMs };
  }

  private keyOfQuery(query: MetricQuery): string {
    const cached = this.queryKeys.get(query);
    if (cached !== undefined) return cached;
    const key = keyOf(query);
    this.queryKeys.set(query, key);
    return key;
  }
}

function keyOf({ namespace, metricName, dimensions }: MetricName): string {
  const parts = Object.keys(dimensions)
    .sort()
    .map((name) => [name, dimensions[name]]);
  return JSON.stringify([namespace, metricName, ...parts]);
}

function firstFrom(series: Series, fromMs: number): number {
  return firstIndex(series, ({ timestampMs }) => timestampMs >= fromMs);
}

/** Drops old values, a day's worth at a time, so that a put rarely moves the list. */
function forget(series: Series): void {
  const oldestKeptMs = series.at(-1)!.timestampMs - KEPT_MS;
  if (series[0]!.timestampMs < oldestKeptMs - DAY_MS) series.splice(0, firstFrom(series, oldestKeptMs));
}

function statisticOf(statistic: Statistic, values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  const sum = (): number => values.reduce((total, value) => total + value, 0);
  switch (statistic) {
    case 'Average':
      return sum() / values.length;
    case 'Maximum':
      return values.reduce((most, value) => Math.max(most, value));
    case 'Minimum':
      return values.reduce((least, value) => Math.min(least, value));
    case 'SampleCount':
      return values.length;
    case 'Sum':
      return sum();
    default: {
      const sorted = [...values].sort((a, b) => a - b);
      const rank = Math.ceil((Number(statistic.slice(1)) / 100) * sorted.length);
      return sorted[Math.max(rank, 1) - 1];
    }
  }
}

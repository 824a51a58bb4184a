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

/** The metric and statistic that an alarm queries. */
export interface MetricQuery {
  namespace: string;
  metricName: string;
  /** Must match exactly: a metric with another dimension is a different metric. */
  dimensions: Readonly<Record<string, string>>;
  /** Restricts the values to this unit; absent for any unit. */
  unit?: string;
  statistic: Statistic;
}

/** A metric that has values. */
export type MetricName = Pick<MetricDatum, 'namespace' | 'metricName' | 'dimensions'>;

/** The values of a metric, by time. */
interface Series extends MetricName {
  timesMs: number[];
  values: number[];
  units: string[];
}

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
    const series = this.seriesFor(datum);
    const { timesMs, values, units } = series;
    const { timestampMs, value, unit = 'None' } = datum;
    const at = firstFrom(timesMs, timestampMs + 1);
    timesMs.splice(at, 0, timestampMs);
    values.splice(at, 0, value);
    units.splice(at, 0, unit);
    forget(series);
  }

  /** The statistic of the values in [`startMs`, `endMs`); undefined if there are none, even for `SampleCount`. */
  query(query: MetricQuery, startMs: number, endMs: number): number | undefined {
    const series = this.series.get(this.keyOfQuery(query));
    if (!series) return undefined;
    const from = firstFrom(series.timesMs, startMs);
    const to = firstFrom(series.timesMs, endMs);
    const values = series.values.slice(from, to);
    if (query.unit === undefined) return statisticOf(query.statistic, values);
    const hasUnit = (_: number, n: number): boolean => series.units[from + n] === query.unit;
    return statisticOf(query.statistic, values.filter(hasUnit));
  }

  /** The latest value of a metric, in any unit; undefined if it has none. */
  latest(metric: MetricName): Pick<MetricDatum, 'value' | 'timestampMs'> | undefined {
    const series = this.series.get(keyOf(metric));
    return series && { value: series.values.at(-1)!, timestampMs: series.timesMs.at(-1)! };
  }

  private keyOfQuery(query: MetricQuery): string {
    const known = this.queryKeys.get(query);
    if (known !== undefined) return known;
    const key = keyOf(query);
    this.queryKeys.set(query, key);
    return key;
  }

  private seriesFor(datum: MetricDatum): Series {
    const key = keyOf(datum);
    const known = this.series.get(key);
    if (known) return known;
    const { namespace, metricName, dimensions } = datum;
    const series = { namespace, metricName, dimensions, timesMs: [], values: [], units: [] };
    this.series.set(key, series);
    return series;
  }
}

function keyOf({ namespace, metricName, dimensions }: MetricName): string {
  const parts = Object.keys(dimensions)
    .sort()
    .map((name) => [name, dimensions[name]]);
  return JSON.stringify([namespace, metricName, ...parts]);
}

/** Index of the first time at or after `fromMs`. */
function firstFrom(timesMs: readonly number[], fromMs: number): number {
  let low = 0;
  let high = timesMs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timesMs[middle]! < fromMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Drops old values, a day's worth at a time, so that a put rarely moves the arrays. */
function forget({ timesMs, values, units }: Series): void {
  const oldestKeptMs = timesMs.at(-1)! - KEPT_MS;
  if (timesMs[0]! >= oldestKeptMs - DAY_MS) return;
  const count = firstFrom(timesMs, oldestKeptMs);
  for (const column of [timesMs, values, units]) column.splice(0, count);
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

import {
  deploymentDimensions,
  isNeeded,
  type MeasuredDeployment,
  type Metric,
  METRIC_NAMESPACE,
  METRIC_UNITS,
} from '../../../core/alarms/metrics';
import { type Metrics } from '../ports';

/** Maximum values of a metric per line. CloudWatch ignores a line with more. */
const MAX_VALUES = 100;

/**
 * Writes metrics in embedded metric format, with the deployment as dimensions: one line for all metrics, and another one for
 * each value of a further dimension. A metric that CloudWatch does not need is a plain field of its line.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 * @see docs/decisions/0013-log-and-metric-lines-are-ours.md
 */
export function embeddedMetrics(deployment: MeasuredDeployment): Metrics & { flush(): void } {
  const { fullMonitoring } = deployment;
  const dimensions = deploymentDimensions(deployment);
  const lines = new Map<string, MetricLine>();
  return {
    count: (metric, value = 1, dimension) => {
      const name = dimension === undefined ? '' : JSON.stringify(dimension);
      let line = lines.get(name);
      if (line === undefined) {
        line = new MetricLine({ ...dimensions, ...dimension });
        lines.set(name, line);
      }
      if (fullMonitoring === true || isNeeded(metric, value, dimension)) line.count(metric, value);
      else line.log(metric, value);
    },
    flush: () => {
      for (const line of lines.values()) line.write();
    },
  };
}

/** Collects the values of one set of dimensions until they are written. */
class MetricLine {
  /** JSON of the dimensions: the list of names, and the members without braces. */
  readonly #names: string;
  readonly #dimensions: string;
  #definitions: { Name: Metric; Unit: string }[] = [];
  #values: Partial<Record<Metric, number | number[]>> = {};
  #logged: Partial<Record<Metric, number>> = {};

  constructor(dimensions: Record<string, string>) {
    this.#names = JSON.stringify(Object.keys(dimensions));
    this.#dimensions = JSON.stringify(dimensions).slice(1, -1);
  }

  count(metric: Metric, value: number): void {
    const before = this.#values[metric];
    if (Array.isArray(before) && before.length < MAX_VALUES) {
      before.push(value);
    } else if (typeof before === 'number') {
      this.#values[metric] = [before, value];
    } else {
      if (before !== undefined) this.write();
      this.#definitions.push({ Name: metric, Unit: METRIC_UNITS[metric] ?? 'Count' });
      this.#values[metric] = value;
    }
  }

  /** Adds a value to a field that is no metric. */
  log(name: Metric, value: number): void {
    this.#logged[name] = (this.#logged[name] ?? 0) + value;
  }

  /** Writes the line, if it has any values. */
  write(): void {
    const values = JSON.stringify({ ...this.#logged, ...this.#values }).slice(1);
    this.#logged = {};
    if (this.#definitions.length === 0) {
      if (values !== '}') process.stdout.write(`{${this.#dimensions},${values}\n`);
      return;
    }
    const directive = `{"Namespace":"${METRIC_NAMESPACE}","Dimensions":[${this.#names}],"Metrics":${JSON.stringify(this.#definitions)}}`;
    const metadata = `{"Timestamp":${Date.now()},"CloudWatchMetrics":[${directive}]}`;
    process.stdout.write(`{"_aws":${metadata},${this.#dimensions},${values}\n`);
    this.#definitions = [];
    this.#values = {};
  }
}

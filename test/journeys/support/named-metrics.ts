/** A metric as an alarm or dashboard names it, or as it is written. */
export interface NamedMetric {
  namespace: string;
  metricName: string;
  dimensions: Record<string, string>;
  /** Absent if no unit is named or known. */
  unit?: string;
}

/** A metric with the alarm or dashboard that uses it. */
export interface UsedMetric extends NamedMetric {
  usedBy: string;
}

interface Reference {
  Ref?: string;
  'Fn::GetAtt'?: [logicalId: string, attribute: string];
}

interface WrittenMetric {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: string | Reference }[];
}

interface WrittenAlarm extends WrittenMetric {
  AlarmName: string;
  Unit?: string;
  Metrics?: { MetricStat?: { Metric: WrittenMetric; Unit?: string } }[];
}

interface WrittenDashboard {
  DashboardName: string;
  DashboardBody: { 'Fn::Join': ['', (string | Reference)[]] };
}

/** A synthesized template. */
export interface Template {
  Resources?: Record<string, { Type: string; Properties?: object }>;
}

/** All metrics that a template's alarms, including their expressions, and graphs use. */
export function metricsUsedBy(stack: string, template: Template): UsedMetric[] {
  const nameOf = namesOf(stack, template);
  return Object.values(template.Resources ?? {}).flatMap(({ Type, Properties }) => {
    if (Type === 'AWS::CloudWatch::Alarm') return metricsOfAlarm(Properties as WrittenAlarm, nameOf);
    if (Type === 'AWS::CloudWatch::Dashboard')
      return metricsOfDashboard(Properties as WrittenDashboard, nameOf);
    return [];
  });
}

function metricsOfAlarm(alarm: WrittenAlarm, nameOf: (value: string | Reference) => string): UsedMetric[] {
  const written =
    alarm.Metrics === undefined
      ? [{ Metric: alarm as WrittenMetric, Unit: alarm.Unit }]
      : alarm.Metrics.flatMap(({ MetricStat }) => MetricStat ?? []);
  return written.map(({ Metric, Unit }) => ({
    usedBy: `alarm ${alarm.AlarmName}`,
    namespace: Metric.Namespace,
    metricName: Metric.MetricName,
    dimensions: Object.fromEntries((Metric.Dimensions ?? []).map(({ Name, Value }) => [Name, nameOf(Value)])),
    unit: Unit,
  }));
}

/** @see Amazon CloudWatch API Reference, "Dashboard Body Structure and Syntax" (metrics of a metric widget) */
function metricsOfDashboard(
  { DashboardName, DashboardBody }: WrittenDashboard,
  nameOf: (value: string | Reference) => string,
): UsedMetric[] {
  const { widgets } = JSON.parse(DashboardBody['Fn::Join'][1].map(nameOf).join('')) as {
    widgets: { properties: { title?: string; metrics?: (string | object)[][] } }[];
  };
  return widgets.flatMap(({ properties: { title, metrics = [] } }) =>
    metrics.flatMap((row): UsedMetric[] => {
      const [namespace, metricName, ...rest] = row.filter((part) => typeof part === 'string');
      // An expression; the metrics in it have rows themselves.
      if (namespace === undefined || metricName === undefined) return [];
      const names = rest.filter((_, index) => index % 2 === 0);
      const dimensions = Object.fromEntries(names.map((name, index) => [name, rest[2 * index + 1]!]));
      return [{ usedBy: `dashboard ${DashboardName}, "${title}"`, namespace, metricName, dimensions }];
    }),
  );
}

/** Resolves references to names. A generated name becomes its prefix with a star. */
function namesOf(stack: string, { Resources = {} }: Template): (value: string | Reference) => string {
  return (value) => {
    if (typeof value === 'string') return value;
    const logicalId = value.Ref ?? value['Fn::GetAtt']![0];
    const { StageName } = (Resources[logicalId]?.Properties ?? {}) as { StageName?: string };
    // CloudFormation truncates the stack name and logical id to limit the length.
    return StageName ?? `${stack.slice(0, 24)}*-${logicalId.slice(0, 24)}*`;
  };
}

interface EmbeddedMetrics extends Record<string, unknown> {
  _aws?: {
    CloudWatchMetrics: {
      Namespace: string;
      Dimensions: string[][];
      Metrics: { Name: string; Unit?: string }[];
    }[];
  };
}

/**
 * The metrics in a log line.
 * @see Amazon CloudWatch User Guide, "Specification: Embedded metric format"
 */
export function metricsInLine(line: string): NamedMetric[] {
  if (!line.startsWith('{')) return [];
  const { _aws, ...fields } = JSON.parse(line) as EmbeddedMetrics;
  return (_aws?.CloudWatchMetrics ?? []).flatMap(({ Namespace, Dimensions, Metrics }) =>
    Metrics.filter(({ Name }) => fields[Name] !== undefined).flatMap(({ Name, Unit }) =>
      Dimensions.map((names) => ({
        namespace: Namespace,
        metricName: Name,
        dimensions: Object.fromEntries(names.map((name) => [name, String(fields[name])])),
        unit: Unit,
      })),
    ),
  );
}

/**
 * The used metrics that nothing writes, named as in the alarm or graph. All deployments and tenants run the
 * same code, so a metric written for any of them counts, as long as each wrote something under its own name.
 */
export function withoutPartner(used: readonly UsedMetric[], written: readonly NamedMetric[]): string[] {
  const places = new Set(written.flatMap(({ dimensions }) => placesIn(dimensions)));
  const metrics = written.map((metric) => ({ ...metric, dimensions: withoutPlace(metric.dimensions) }));
  return used
    .filter((metric) => {
      const dimensions = withoutPlace(metric.dimensions);
      const isWritten = metrics.some(
        (each) =>
          each.namespace === metric.namespace &&
          each.metricName === metric.metricName &&
          (metric.unit === undefined || each.unit === metric.unit) &&
          hasSameDimensions(dimensions, each.dimensions),
      );
      return !isWritten || placesIn(metric.dimensions).some((place) => !places.has(place));
    })
    .map(({ usedBy, namespace, metricName, dimensions, unit = 'any unit' }) =>
      [usedBy, namespace, metricName, JSON.stringify(dimensions), unit].join(': '),
    );
}

/** The deployment and tenant in a metric's dimensions. */
function placesIn({ environment, platformRegion, tenantId }: Record<string, string>): string[] {
  if (environment === undefined) return [];
  const deployment = `${environment} ${platformRegion}`;
  return tenantId === undefined ? [deployment] : [deployment, `${deployment} ${tenantId}`];
}

function withoutPlace(dimensions: Record<string, string>): Record<string, string> {
  const places = ['environment', 'platformRegion', 'tenantId'];
  return Object.fromEntries(
    Object.entries(dimensions).map(([name, value]) => [name, places.includes(name) ? '' : value]),
  );
}

function hasSameDimensions(named: Record<string, string>, seen: Record<string, string>): boolean {
  const names = Object.keys(named);
  return (
    names.length === Object.keys(seen).length &&
    names.every((name) => seen[name] !== undefined && isName(named[name]!, seen[name]))
  );
}

function isName(pattern: string, value: string): boolean {
  if (!pattern.includes('*')) return value === pattern;
  const [first = '', ...others] = pattern.split('*');
  return value.startsWith(first) && others.every((part) => value.includes(part));
}

import { sum } from './sum';

/** As much of a CloudFormation template as is counted. */
export interface CountedTemplate {
  Resources?: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

/** What the stacks of one deployment hold of what costs money or uses a quota. */
export interface Inventory {
  secrets: number;
  keys: number;
  /** Metric alarms. */
  alarms: number;
  /** Metrics that those look at: as many as there are alarms, and more with metric math. */
  alarmMetrics: number;
  compositeAlarms: number;
  dashboards: number;
  schedules: number;
  /** Concurrent runs that are kept for the functions, of those that the account has. */
  reservedConcurrency: number;
  /** Memory of the largest function, in MB. */
  memoryMb: number;
  /** Resources of the stack that has the most. */
  resourcesOfLargestStack: number;
}

/** Counts the templates themselves, so that no list beside them can differ from what is deployed. */
export function inventoryOf(templates: readonly CountedTemplate[]): Inventory {
  const stacks = templates.map(({ Resources = {} }) => Object.values(Resources));
  const resources = stacks.flat();
  const propertiesOf = (type: string) =>
    resources.filter(({ Type }) => Type === type).map(({ Properties = {} }) => Properties);
  const count = (type: string) => propertiesOf(type).length;
  const alarms = propertiesOf('AWS::CloudWatch::Alarm');
  const functions = propertiesOf('AWS::Lambda::Function');
  return {
    secrets: count('AWS::SecretsManager::Secret'),
    keys: count('AWS::KMS::Key'),
    alarms: alarms.length,
    alarmMetrics: sum(alarms.map(metricsOf)),
    compositeAlarms: count('AWS::CloudWatch::CompositeAlarm'),
    dashboards: count('AWS::CloudWatch::Dashboard'),
    schedules: count('AWS::Scheduler::Schedule'),
    reservedConcurrency: sum(
      functions.map(({ ReservedConcurrentExecutions }) => Number(ReservedConcurrentExecutions ?? 0)),
    ),
    memoryMb: Math.max(0, ...functions.map(({ MemorySize }) => Number(MemorySize))),
    resourcesOfLargestStack: Math.max(0, ...stacks.map(({ length }) => length)),
  };
}

/** An alarm has either one metric, or a list of metrics and of expressions over them. */
function metricsOf({ Metrics }: Record<string, unknown>): number {
  if (Metrics === undefined) return 1;
  return (Metrics as { MetricStat?: unknown }[]).filter(({ MetricStat }) => MetricStat !== undefined).length;
}

import { sum } from './sum';

/** The part of a CloudFormation template that is counted. */
export interface CountedTemplate {
  Resources?: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

/** Resources of one deployment that cost money or use a quota. */
export interface Inventory {
  secrets: number;
  keys: number;
  /** Metric alarms. */
  alarms: number;
  /** Metrics that the metric alarms evaluate: one per alarm, more with metric math. */
  alarmMetrics: number;
  compositeAlarms: number;
  dashboards: number;
  schedules: number;
  webAcls: number;
  webAclRules: number;
  /** Sum of the functions' reserved concurrency. */
  reservedConcurrency: number;
  /** Memory of the largest function, in MB. */
  memoryMb: number;
  /** Number of resources in the largest stack. */
  resourcesOfLargestStack: number;
}

/** Counts the resources in the templates, so that the numbers match what is deployed. */
export function inventoryOf(templates: readonly CountedTemplate[]): Inventory {
  const stacks = templates.map(({ Resources = {} }) => Object.values(Resources));
  const resources = stacks.flat();
  const propertiesOf = (type: string) =>
    resources.filter(({ Type }) => Type === type).map(({ Properties = {} }) => Properties);
  const count = (type: string) => propertiesOf(type).length;
  const alarms = propertiesOf('AWS::CloudWatch::Alarm');
  const functions = propertiesOf('AWS::Lambda::Function');
  const webAcls = propertiesOf('AWS::WAFv2::WebACL');
  return {
    secrets: count('AWS::SecretsManager::Secret'),
    keys: count('AWS::KMS::Key'),
    alarms: alarms.length,
    alarmMetrics: sum(alarms.map(metricsOf)),
    compositeAlarms: count('AWS::CloudWatch::CompositeAlarm'),
    dashboards: count('AWS::CloudWatch::Dashboard'),
    schedules: count('AWS::Scheduler::Schedule'),
    webAcls: webAcls.length,
    webAclRules: sum(webAcls.map(({ Rules }) => (Rules as unknown[]).length)),
    reservedConcurrency: sum(
      functions.map(({ ReservedConcurrentExecutions }) => Number(ReservedConcurrentExecutions ?? 0)),
    ),
    memoryMb: Math.max(0, ...functions.map(({ MemorySize }) => Number(MemorySize))),
    resourcesOfLargestStack: Math.max(0, ...stacks.map(({ length }) => length)),
  };
}

/** Number of metrics of an alarm: one, or those of its metric math. */
function metricsOf({ Metrics }: Record<string, unknown>): number {
  if (Metrics === undefined) return 1;
  return (Metrics as { MetricStat?: unknown }[]).filter(({ MetricStat }) => MetricStat !== undefined).length;
}

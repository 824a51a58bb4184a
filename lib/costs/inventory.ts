import { sum } from './sum';

/** The part of a CloudFormation template that is counted. */
export interface CountedTemplate {
  Resources?: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

/** Resources of one deployment that cost money or use a quota. */
export interface Inventory {
  secrets: number;
  /** Copies of secrets in other AWS regions. */
  replicas: number;
  keys: number;
  /** Metric alarms. */
  alarms: number;
  /** Metrics that the metric alarms evaluate: one per alarm, more with metric math. */
  alarmMetrics: number;
  compositeAlarms: number;
  dashboards: number;
  webAcls: number;
  webAclRules: number;
  /** Sum of the functions' reserved concurrency. */
  reservedConcurrency: number;
  /** Characters of the longest event pattern, at most. */
  largestEventPattern: number;
}

/** Counts the resources in the templates, so that the numbers match what is deployed. */
export function inventoryOf(templates: readonly CountedTemplate[]): Inventory {
  const resources = templates.flatMap(({ Resources = {} }) => Object.values(Resources));
  const propertiesOf = (type: string) =>
    resources.filter(({ Type }) => Type === type).map(({ Properties = {} }) => Properties);
  const count = (type: string) => propertiesOf(type).length;
  const alarms = propertiesOf('AWS::CloudWatch::Alarm');
  const functions = propertiesOf('AWS::Lambda::Function');
  const webAcls = propertiesOf('AWS::WAFv2::WebACL');
  return {
    secrets: count('AWS::SecretsManager::Secret'),
    replicas: sum(
      propertiesOf('AWS::SecretsManager::Secret').map(
        ({ ReplicaRegions = [] }) => (ReplicaRegions as unknown[]).length,
      ),
    ),
    keys: count('AWS::KMS::Key'),
    alarms: alarms.length,
    alarmMetrics: sum(alarms.map(metricsOf)),
    compositeAlarms: count('AWS::CloudWatch::CompositeAlarm'),
    dashboards: count('AWS::CloudWatch::Dashboard'),
    webAcls: webAcls.length,
    webAclRules: sum(webAcls.map(({ Rules }) => (Rules as unknown[]).length)),
    reservedConcurrency: sum(
      functions.map(({ ReservedConcurrentExecutions }) => Number(ReservedConcurrentExecutions ?? 0)),
    ),
    largestEventPattern: Math.max(
      0,
      ...propertiesOf('AWS::Events::Rule').map(
        ({ EventPattern }) => JSON.stringify(withLongestValues(EventPattern)).length,
      ),
    ),
  };
}

/** Number of metrics of an alarm: one, or those of its metric math. */
function metricsOf({ Metrics }: Record<string, unknown>): number {
  if (Metrics === undefined) return 1;
  return (Metrics as { MetricStat?: unknown }[]).filter(({ MetricStat }) => MetricStat !== undefined).length;
}

/** As long as any ARN that CloudFormation fills in: that of a role has 64 characters after the account, that of a key 36. */
const MAX_ARN = `arn:aws-us-gov:iam::${'0'.repeat(12)}:role/${'x'.repeat(64)}`;

/** A partition, region or account, such as `ap-southeast-1`. */
const MAX_REFERENCE_LENGTH = 14;

/** A value with text as long as possible for what CloudFormation fills in. */
function withLongestValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLongestValues);
  if (typeof value !== 'object' || value === null) return value;
  if ('Fn::Join' in value) {
    const [separator, parts] = withLongestValues(value['Fn::Join']) as [string, string[]];
    return parts.join(separator);
  }
  const isFilledIn = Object.keys(value).some((key) => key === 'Ref' || key.startsWith('Fn::'));
  if (isFilledIn) return 'Ref' in value ? 'x'.repeat(MAX_REFERENCE_LENGTH) : MAX_ARN;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withLongestValues(part)]));
}

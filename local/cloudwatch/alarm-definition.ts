import { type MathNode } from './metric-math';
import { type MetricQuery } from './metric-store';

/** What every alarm has. */
interface AlarmBase {
  arn: string;
  name: string;
  description?: string;
  actionsEnabled: boolean;
  /** ARNs of topics, by the state on whose beginning they are notified. */
  actions: Readonly<Record<AlarmStateValue, readonly string[]>>;
}

export type AlarmStateValue = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

export const COMPARISON_OPERATORS = [
  'GreaterThanOrEqualToThreshold',
  'GreaterThanThreshold',
  'LessThanOrEqualToThreshold',
  'LessThanThreshold',
] as const;
export type ComparisonOperator = (typeof COMPARISON_OPERATORS)[number];

export const MISSING_DATA_TREATMENTS = ['breaching', 'ignore', 'missing', 'notBreaching'] as const;
export type MissingDataTreatment = (typeof MISSING_DATA_TREATMENTS)[number];

/** A metric that is asked, or an expression over other parts. */
export type AlarmPart = { query: MetricQuery } | { expression: MathNode; text: string };

/** An alarm on a metric, or on an expression over several. */
export interface MetricAlarm extends AlarmBase {
  kind: 'metric';
  /** By the ids that expressions use; no expression needs itself. */
  parts: ReadonlyMap<string, AlarmPart>;
  /** Id of the part that is compared. */
  result: string;
  periodSec: number;
  evaluationPeriods: number;
  datapointsToAlarm: number;
  threshold: number;
  comparison: ComparisonOperator;
  missingData: MissingDataTreatment;
  /** So long after it was made, silence does not count, unless data began to come earlier. */
  warmUpSec: number;
}

/** A composite alarm's rule. */
export type AlarmRule =
  | { kind: 'constant'; value: boolean }
  /** `alarm` is a name or an ARN. */
  | { kind: 'state'; state: AlarmStateValue; alarm: string }
  | { kind: 'not'; rule: AlarmRule }
  | { kind: 'and' | 'or'; rules: AlarmRule[] };

/** An alarm on the states of other alarms. */
export interface CompositeAlarm extends AlarmBase {
  kind: 'composite';
  rule: AlarmRule;
  ruleText: string;
}

/** An alarm as its template declares it. */
export type AlarmDefinition = MetricAlarm | CompositeAlarm;

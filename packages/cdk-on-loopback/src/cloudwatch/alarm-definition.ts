import { type MathNode } from './metric-math';
import { type MetricQuery } from './metric-store';

interface AlarmBase {
  arn: string;
  name: string;
  description?: string;
  actionsEnabled: boolean;
  /** The ARNs of the topics to notify when the alarm enters a state. */
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

/** A metric query, or an expression over other parts. */
export type AlarmPart = { query: MetricQuery } | { expression: MathNode; text: string };

/** An alarm on a metric, or on an expression over several. */
export interface MetricAlarm extends AlarmBase {
  kind: 'metric';
  /** By their ids in expressions. No expression depends on itself. */
  parts: ReadonlyMap<string, AlarmPart>;
  /** Id of the part that is compared to the threshold. */
  result: string;
  periodSec: number;
  evaluationPeriods: number;
  datapointsToAlarm: number;
  threshold: number;
  comparison: ComparisonOperator;
  missingData: MissingDataTreatment;
  /** How long after creation missing data does not count, unless data arrives earlier. */
  warmUpSec: number;
}

/** A composite alarm's rule. */
export type AlarmRule =
  | { kind: 'constant'; value: boolean }
  /** `alarm` is a name or an ARN. */
  | { kind: 'state'; state: AlarmStateValue; alarm: string }
  /** `not` has one rule. */
  | { kind: 'not' | 'and' | 'or'; rules: AlarmRule[] };

/** An alarm on the states of other alarms. */
export interface CompositeAlarm extends AlarmBase {
  kind: 'composite';
  rule: AlarmRule;
  ruleText: string;
}

/** An alarm, as declared in its template. */
export type AlarmDefinition = MetricAlarm | CompositeAlarm;

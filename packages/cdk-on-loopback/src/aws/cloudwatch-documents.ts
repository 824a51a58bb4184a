import { type AlarmPart, type CompositeAlarm, type MetricAlarm } from '../cloudwatch/alarm-definition';
import { type AlarmHistoryItem } from '../cloudwatch/alarm-history';
import { type AlarmState } from '../cloudwatch/alarm-state';
import { type MetricName, type MetricQuery, SIMPLE_STATISTICS } from '../cloudwatch/metric-store';
import { epochSec } from './operation';

function describeAlarm(alarm: AlarmState): object {
  const { actionsEnabled, actions, description } = alarm.definition;
  return {
    AlarmName: alarm.name,
    AlarmArn: alarm.arn,
    AlarmDescription: description,
    ActionsEnabled: actionsEnabled,
    AlarmActions: actions.ALARM,
    OKActions: actions.OK,
    InsufficientDataActions: actions.INSUFFICIENT_DATA,
    StateValue: alarm.state,
    StateReason: alarm.reason,
    StateUpdatedTimestamp: epochSec(alarm.stateUpdatedMs),
    AlarmConfigurationUpdatedTimestamp: epochSec(alarm.configuredMs),
    StateTransitionedTimestamp: epochSec(alarm.stateUpdatedMs),
  };
}

/** A composite alarm in a DescribeAlarms response. @see CloudWatch API reference, API_CompositeAlarm */
export function describeCompositeAlarm(alarm: AlarmState, { ruleText }: CompositeAlarm): object {
  return { ...describeAlarm(alarm), AlarmRule: ruleText };
}

/** A metric alarm in a DescribeAlarms response. @see CloudWatch API reference, API_MetricAlarm */
export function describeMetricAlarm(alarm: AlarmState, definition: MetricAlarm): object {
  const { parts, result, periodSec } = definition;
  const only = parts.size === 1 ? parts.get(result) : undefined;
  return {
    ...describeAlarm(alarm),
    EvaluationPeriods: definition.evaluationPeriods,
    DatapointsToAlarm: definition.datapointsToAlarm,
    Threshold: definition.threshold,
    ComparisonOperator: definition.comparison,
    TreatMissingData: definition.missingData,
    ...(only && 'query' in only
      ? { ...describeMetric(only.query), ...describeStatistic(only.query), Period: periodSec }
      : { Metrics: [...parts].map(([id, part]) => describePart(id, part, definition)) }),
  };
}

/** @see CloudWatch API reference, API_MetricDataQuery */
function describePart(id: string, part: AlarmPart, { result, periodSec }: MetricAlarm): object {
  const ReturnData = id === result;
  if ('text' in part) return { Id: id, Expression: part.text, ReturnData };
  const { unit, statistic } = part.query;
  const MetricStat = {
    Metric: describeMetric(part.query),
    Period: periodSec,
    Stat: statistic,
    Unit: unit,
  };
  return { Id: id, MetricStat, ReturnData };
}

/** @see CloudWatch API reference, API_Metric */
function describeMetric({ namespace, metricName, dimensions }: MetricName) {
  const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
  return { Namespace: namespace, MetricName: metricName, Dimensions };
}

function describeStatistic({ statistic, unit }: MetricQuery): object {
  const isSimple = (SIMPLE_STATISTICS as readonly string[]).includes(statistic);
  return {
    ...(isSimple ? { Statistic: statistic } : { ExtendedStatistic: statistic }),
    Unit: unit,
  };
}

/** @see CloudWatch API reference, API_AlarmHistoryItem */
export function describeHistoryItem({ alarmName, alarmType, atMs, type, summary }: AlarmHistoryItem): object {
  return {
    AlarmName: alarmName,
    AlarmType: alarmType,
    Timestamp: epochSec(atMs),
    HistoryItemType: type,
    HistorySummary: summary,
  };
}

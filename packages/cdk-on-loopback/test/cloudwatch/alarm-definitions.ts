import { type CompositeAlarm, type MetricAlarm } from '../../src/cloudwatch/alarm-definition';
import { parseAlarmRule } from '../../src/cloudwatch/alarm-rule';

export const TOPIC_ARN = 'arn:aws:sns:eu-west-1:111111111111:pages';
export const FAULTS = { namespace: 'N', metricName: 'Faults', dimensions: {} };

const alarmArn = (name: string): string => `arn:aws:cloudwatch:eu-west-1:111111111111:alarm:${name}`;
const NO_ACTIONS = { ALARM: [], OK: [], INSUFFICIENT_DATA: [] };

/** In alarm if there was a fault in the last five minutes. */
export function metricAlarm(name: string, more: Partial<MetricAlarm> = {}): MetricAlarm {
  return {
    kind: 'metric',
    arn: alarmArn(name),
    name,
    actionsEnabled: true,
    actions: NO_ACTIONS,
    parts: new Map([['m', { query: { ...FAULTS, statistic: 'Sum' } }]]),
    result: 'm',
    periodSec: 300,
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    threshold: 1,
    comparison: 'GreaterThanOrEqualToThreshold',
    missingData: 'notBreaching',
    warmUpSec: 0,
    ...more,
  };
}

/** Notifies {@link TOPIC_ARN}. */
export function compositeAlarm(name: string, ruleText: string): CompositeAlarm {
  return {
    kind: 'composite',
    arn: alarmArn(name),
    name,
    actionsEnabled: true,
    actions: { ...NO_ACTIONS, ALARM: [TOPIC_ARN] },
    rule: parseAlarmRule(ruleText),
    ruleText,
  };
}

import { authorize, requireAllowed } from '../iam/authorize';
import { validationError } from './aws-error';
import { describeCompositeAlarm, describeHistoryItem, describeMetricAlarm } from './cloudwatch-documents';
import { type Input } from './input';
import { type Call, epochSec, type Operations } from './operation';
import { pageOf } from './paging';

const ALARM_TYPES = ['MetricAlarm', 'CompositeAlarm'] as const;

export const CLOUDWATCH_OPERATIONS: Operations = {
  /**
   * Returns metric alarms unless AlarmTypes asks for others. Composite alarms require permission on `*`.
   */
  DescribeAlarms: {
    parameters: ['AlarmNames', 'AlarmNamePrefix', 'AlarmTypes', 'StateValue', 'MaxRecords', 'NextToken'],
    run(input, call) {
      const names = input.optionalTexts('AlarmNames', { max: 100 });
      const prefix = input.optionalText('AlarmNamePrefix');
      if (names && prefix !== undefined)
        throw validationError('AlarmNames and AlarmNamePrefix exclude each other');
      const stateValue = input.optionalText('StateValue');
      const kinds = visibleKinds(alarmTypesIn(input), call);
      const matching = call.cloudWatch.alarms
        .states()
        .filter(({ definition }) => kinds.includes(definition.kind))
        .filter(({ name }) => (names?.includes(name) ?? true) && name.startsWith(prefix ?? ''))
        .filter(({ state }) => stateValue === undefined || state === stateValue)
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      const size = input.optionalInteger('MaxRecords', { min: 1, max: 100 }) ?? 50;
      const page = pageOf(matching, size, input.optionalText('NextToken'), 'InvalidNextToken');
      return {
        MetricAlarms: page.items.flatMap((alarm) =>
          alarm.definition.kind === 'metric' ? [describeMetricAlarm(alarm, alarm.definition)] : [],
        ),
        CompositeAlarms: page.items.flatMap((alarm) =>
          alarm.definition.kind === 'composite' ? [describeCompositeAlarm(alarm, alarm.definition)] : [],
        ),
        NextToken: page.nextToken,
      };
    },
  },

  DescribeAlarmHistory: {
    parameters: [
      'AlarmName',
      'AlarmTypes',
      'HistoryItemType',
      'StartDate',
      'EndDate',
      'ScanBy',
      'MaxRecords',
      'NextToken',
    ],
    run(input, call) {
      const name = input.optionalText('AlarmName');
      const types = alarmTypesIn(input);
      const itemType = input.optionalText('HistoryItemType');
      const fromSec = input.optionalNumber('StartDate') ?? 0;
      const toSec = input.optionalNumber('EndDate') ?? Infinity;
      const resource = name === undefined ? '*' : call.account.arn('cloudwatch', `alarm:${name}`);
      requireAllowed(call, { action: 'cloudwatch:DescribeAlarmHistory', resource });
      const matching = call.cloudWatch.alarms.history
        .items()
        .filter((item) => (name === undefined || item.alarmName === name) && types.includes(item.alarmType))
        .filter(({ type }) => itemType === undefined || type === itemType)
        .filter(({ atMs }) => epochSec(atMs) >= fromSec && epochSec(atMs) <= toSec);
      if (input.optionalText('ScanBy') !== 'TimestampAscending') matching.reverse();
      const size = input.optionalInteger('MaxRecords', { min: 1, max: 100 }) ?? 100;
      const page = pageOf(matching, size, input.optionalText('NextToken'), 'InvalidNextToken');
      return { AlarmHistoryItems: page.items.map(describeHistoryItem), NextToken: page.nextToken };
    },
  },
};

function alarmTypesIn(input: Input): readonly string[] {
  const types = input.optionalTexts('AlarmTypes') ?? ['MetricAlarm'];
  const unknown = types.find((type) => !(ALARM_TYPES as readonly string[]).includes(type));
  if (unknown === undefined) return types;
  throw validationError(`AlarmTypes: allowed: ${ALARM_TYPES.join(', ')}`);
}

/** The kinds of alarms that the caller may see. @throws {AwsError} AccessDeniedException if none */
function visibleKinds(types: readonly string[], call: Call): string[] {
  const action = 'cloudwatch:DescribeAlarms';
  requireAllowed(call, { action, resource: call.account.arn('cloudwatch', 'alarm:*') });
  const { account, principal } = call;
  const onAll = authorize(account, { principal, action, resource: '*' });
  const seesComposites = onAll.allowed && types.includes('CompositeAlarm');
  return [...(types.includes('MetricAlarm') ? ['metric'] : []), ...(seesComposites ? ['composite'] : [])];
}

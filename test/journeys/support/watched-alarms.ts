import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';

import { alarmNamePrefix } from '../../../core/alarms/alarms';
import { DEFAULT_PREFIX } from '../../../core/secrets/secret-names';
import { type Place } from './journeys';

/** A deployment's alarms in state ALARM: their descriptions, by name without the deployment's prefix. */
export async function redAlarms(place: Place): Promise<Map<string, string>> {
  const { endpoint, region, ...credentials } = place.system.run.aws;
  const cloudWatch = new CloudWatchClient({ endpoint, region, credentials, maxAttempts: 2 });
  const AlarmNamePrefix = alarmNamePrefix(DEFAULT_PREFIX, place.deployment);
  const { MetricAlarms = [], CompositeAlarms = [] } = await cloudWatch.send(
    new DescribeAlarmsCommand({
      AlarmNamePrefix,
      AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
      StateValue: 'ALARM',
    }),
  );
  return new Map(
    [...MetricAlarms, ...CompositeAlarms].map(({ AlarmName, AlarmDescription = '' }) => [
      AlarmName!.replace(AlarmNamePrefix, ''),
      AlarmDescription,
    ]),
  );
}

/** The section of the runbook that the advice names. */
export function pageIn(description: string): string {
  return /docs\/runbook\/([\w-]+\.md#[\w-]+)/.exec(description)![1]!;
}

import { CloudWatchClient, DescribeAlarmsCommand, type StateValue } from '@aws-sdk/client-cloudwatch';

import { alarmNamePrefix } from '../../../core/alarms/alarms';
import { type AccessKey } from '../../../core/deployment/local-run';
import { DEFAULT_PREFIX } from '../../../core/secrets/secret-names';
import { type Place } from './journeys';

/** The descriptions of a deployment's alarms, by name without the deployment's prefix. */
export async function readAlarms(
  { system, deployment }: Place,
  { accessKeyId, secretAccessKey }: AccessKey,
  StateValue?: StateValue,
): Promise<Map<string, string>> {
  const { endpoint, region } = system.run.aws;
  const credentials = { accessKeyId, secretAccessKey };
  const cloudWatch = new CloudWatchClient({ endpoint, region, credentials, maxAttempts: 2 });
  const AlarmNamePrefix = alarmNamePrefix(DEFAULT_PREFIX, deployment);
  const AlarmTypes = ['MetricAlarm' as const, 'CompositeAlarm' as const];
  const { MetricAlarms = [], CompositeAlarms = [] } = await cloudWatch.send(
    new DescribeAlarmsCommand({ AlarmNamePrefix, AlarmTypes, StateValue }),
  );
  return new Map(
    [...MetricAlarms, ...CompositeAlarms].map(({ AlarmName, AlarmDescription = '' }) => [
      AlarmName!.replace(AlarmNamePrefix, ''),
      AlarmDescription,
    ]),
  );
}

/** Those in state ALARM. */
export function redAlarms(place: Place): Promise<Map<string, string>> {
  return readAlarms(place, place.system.run.aws, 'ALARM');
}

/** The section of the runbook that the advice names. */
export function pageIn(description: string): string {
  return /docs\/runbook\/([\w-]+\.md#[\w-]+)/.exec(description)![1]!;
}

import { type CompositeAlarm, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';

import { alarmNamePrefix, alarmOfName } from '../core/alarms/alarms';
import { harmless } from '../core/commands/harmless-text';
import { addFlags } from '../core/commands/fix-commands';
import { callAws } from './call-aws';
import { type ChosenDeployment } from './choose-tenant';
import { type CommandContext } from './command';

/** An alarm in CloudWatch. */
export interface Alarm {
  /** Such as `latchkey-staging-mea/token-life`. */
  readonly name: string;
  readonly state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  /** When it entered that state: ISO 8601, UTC. */
  readonly since?: string;
  /** What happened, what it means for callers, and what to do. */
  readonly description: string;
  /** Whether it notifies someone when it goes into alarm. */
  readonly notifies: boolean;
}

/** The maximum that CloudWatch allows. */
const PAGE_SIZE = 100;

/**
 * The alarms of a deployment and its tenants, or of the chosen tenants, sorted by name.
 * @param flags that select the system, such as `--local`, for the commands in descriptions
 * @throws {CommandError}
 */
export async function readAlarms(
  { terminal: { interrupted } }: CommandContext,
  { deployment, tenantIds }: ChosenDeployment,
  flags = '',
): Promise<Alarm[]> {
  const prefix = alarmNamePrefix(deployment.prefix, deployment);
  const call = { action: 'cloudwatch:DescribeAlarms', resource: `alarm:${prefix}*`, deployment, interrupted };
  const alarms: (MetricAlarm | CompositeAlarm)[] = [];
  const chosenIds = tenantIds && new Set(tenantIds);
  let next: string | undefined;
  do {
    const page = await callAws(call, (options) =>
      deployment.cloudWatch.send(
        new DescribeAlarmsCommand({
          AlarmNamePrefix: prefix,
          // By default CloudWatch returns metric alarms only.
          AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
          MaxRecords: PAGE_SIZE,
          NextToken: next,
        }),
        options,
      ),
    );
    alarms.push(...(page.MetricAlarms ?? []), ...(page.CompositeAlarms ?? []));
    next = page.NextToken;
  } while (next !== undefined);
  return alarms
    .map((alarm) => alarmOf(alarm, flags))
    .filter(({ name }) => {
      const { tenantId } = alarmOfName(name);
      return chosenIds === undefined || tenantId === undefined || chosenIds.has(tenantId);
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function isInAlarm({ state }: Alarm): boolean {
  return state === 'ALARM';
}

function alarmOf(
  {
    AlarmName = '',
    StateValue = 'INSUFFICIENT_DATA',
    StateTransitionedTimestamp,
    StateUpdatedTimestamp,
    AlarmDescription = '',
    ActionsEnabled = true,
    AlarmActions = [],
  }: MetricAlarm | CompositeAlarm,
  flags: string,
): Alarm {
  const since = StateTransitionedTimestamp ?? StateUpdatedTimestamp;
  return {
    name: harmless(AlarmName),
    state: StateValue,
    ...(since !== undefined && { since: since.toISOString() }),
    description: addFlags(harmless(AlarmDescription), flags),
    notifies: ActionsEnabled && AlarmActions.length > 0,
  };
}

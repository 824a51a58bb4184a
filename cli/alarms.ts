import { type CompositeAlarm, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';

import { alarmNamePrefix } from '../contract/alarms';
import { callAws } from './aws-failure';
import { type Section } from './choose-target';
import { type CommandContext } from './command';

/** An alarm as CloudWatch has it, for programs and people. */
export interface Alarm {
  /** Such as `latchkey-staging-mea/token-life`. */
  readonly name: string;
  readonly state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  /** When it came into that state: ISO 8601, UTC. */
  readonly since?: string;
  /** What happened, what it means for callers, and what to do. */
  readonly description: string;
  /** Whether it tells somebody when it goes off. */
  readonly notifies: boolean;
}

/** As many as CloudWatch gives at once. */
const PAGE = 100;

/**
 * The alarms of a deployment and of its tenants, or of the one tenant that was asked for, by name.
 * @param flags that name the system again, such as `--local`, for the commands in descriptions
 * @throws {CommandError}
 */
export async function readAlarms(
  { terminal: { interrupted } }: CommandContext,
  { deployment, tenantId }: Section,
  flags = '',
): Promise<Alarm[]> {
  const prefix = alarmNamePrefix(deployment.prefix, deployment);
  const call = { action: 'cloudwatch:DescribeAlarms', resource: `alarm:${prefix}*`, deployment, interrupted };
  const found: (MetricAlarm | CompositeAlarm)[] = [];
  let next: string | undefined;
  do {
    const page = await callAws(call, (options) =>
      deployment.cloudWatch.send(
        new DescribeAlarmsCommand({
          AlarmNamePrefix: prefix,
          // Without it, composite alarms are left out.
          AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
          MaxRecords: PAGE,
          NextToken: next,
        }),
        options,
      ),
    );
    found.push(...(page.MetricAlarms ?? []), ...(page.CompositeAlarms ?? []));
    next = page.NextToken;
  } while (next !== undefined);
  return found
    .map((alarm) => alarmOf(alarm, flags))
    .filter(({ name }) => {
      const about = shortAlarmName(name).tenantId;
      return tenantId === undefined || about === undefined || about === tenantId;
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The tenant that an alarm is about, where it is about one, and its own name, such as `token-life`. */
export function shortAlarmName(name: string): { tenantId: string | undefined; id: string } {
  const [, ...rest] = name.split('/');
  const id = rest.pop() ?? name;
  return { tenantId: rest[0], id };
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
    name: AlarmName,
    state: StateValue,
    ...(since !== undefined && { since: since.toISOString() }),
    description: flags === '' ? AlarmDescription : withFlags(AlarmDescription, flags),
    notifies: ActionsEnabled && AlarmActions.length > 0,
  };
}

function withFlags(description: string, flags: string): string {
  return description.replace(/`(latchkey [^`]+)`/g, (_, command: string) => `\`${command} ${flags}\``);
}

import { type DescribeAlarmsCommandInput, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import {
  GetScheduleCommand,
  type GetScheduleCommandOutput,
  ResourceNotFoundException,
  type UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';

import { type DeploymentKey } from '../../../core/tokens/token-key';
import { SCHEDULED_FUNCTIONS, scheduleName } from '../../../core/deployment/schedules';
import { deploymentAlarmName } from '../../../core/alarms/alarms';

const DEPLOYMENT_KEYS: readonly DeploymentKey[] = [
  { environment: 'staging', platformRegion: 'mea' },
  { environment: 'production', platformRegion: 'mea' },
  { issuer: 'auth0', environment: 'production' },
];

/** CloudWatch with one OK alarm per deployment, and what a test adds. */
export class InMemoryAlarms {
  metricAlarms: MetricAlarm[] = DEPLOYMENT_KEYS.map((deploymentKey) => ({
    AlarmName: deploymentAlarmName('latchkey', deploymentKey, 'token-life'),
    StateValue: 'OK',
  }));
  compositeAlarms: MetricAlarm[] = [];
  /** Thrown instead of an answer. */
  failure: Error | undefined;
  readonly requests: DescribeAlarmsCommandInput[] = [];

  send = async ({ input }: { input: DescribeAlarmsCommandInput }): Promise<object> => {
    this.requests.push(input);
    if (this.failure !== undefined) throw this.failure;
    const { AlarmNamePrefix: prefix = '', AlarmTypes: types = ['MetricAlarm'], MaxRecords = 50 } = input;
    const isAsked = ({ AlarmName = '' }: MetricAlarm) => AlarmName.startsWith(prefix);
    const composites = types.includes('CompositeAlarm') ? this.compositeAlarms.filter(isAsked) : [];
    const metrics = types.includes('MetricAlarm') ? this.metricAlarms.filter(isAsked) : [];
    const from = Number(input.NextToken ?? 0);
    const page = [...composites, ...metrics].slice(from, from + MaxRecords);
    const isMore = composites.length + metrics.length > from + MaxRecords;
    return {
      CompositeAlarms: page.filter((alarm) => composites.includes(alarm)),
      MetricAlarms: page.filter((alarm) => metrics.includes(alarm)),
      ...(isMore && { NextToken: String(from + MaxRecords) }),
    };
  };
}

/** EventBridge Scheduler with the deployments' schedules, all enabled. */
export class InMemorySchedules {
  readonly definitions = new Map(
    DEPLOYMENT_KEYS.flatMap((deploymentKey) =>
      SCHEDULED_FUNCTIONS.map((each) => scheduleName('latchkey', deploymentKey, each)),
    ).map((name): [string, Partial<GetScheduleCommandOutput>] => [name, { Name: name, State: 'ENABLED' }]),
  );
  /** Thrown instead of an answer to these commands. */
  readonly failures: Record<string, Error> = {};
  readonly updates: UpdateScheduleCommand['input'][] = [];

  send = async (command: GetScheduleCommand | UpdateScheduleCommand): Promise<object> => {
    const failure = this.failures[command.constructor.name];
    if (failure !== undefined) throw failure;
    const { Name = '' } = command.input;
    const definition = this.definitions.get(Name);
    if (definition === undefined)
      throw new ResourceNotFoundException({ message: '', $metadata: {}, Message: '' });
    if (command instanceof GetScheduleCommand) return definition;
    this.updates.push(command.input);
    this.definitions.set(Name, { ...command.input, Name });
    return {};
  };
}

/** A denial in AWS's words. */
export function denialOf(action: string, resource: string): Error {
  const message = `User: arn:aws:iam::111122223333:user/jo is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
  return Object.assign(new Error(message), { name: 'AccessDeniedException' });
}

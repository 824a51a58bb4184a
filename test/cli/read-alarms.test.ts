import { readAlarms } from '../../cli/read-alarms';
import { alarmOfName, deploymentAlarmName, tenantAlarmName } from '../../core/alarms/alarms';
import { FakeTerminal } from './support/fake-terminal';
import { DEPLOYMENT_KEY, OperatedSystem } from './support/operated-system';

const SINCE = new Date('2026-01-31T11:48:00.000Z');

function read(system: OperatedSystem, tenantId?: string, flags?: string) {
  return readAlarms(
    system.context(new FakeTerminal()),
    { deployment: system.deployment(), tenantIds: tenantId === undefined ? undefined : [tenantId] },
    flags,
  );
}

const tenantAlarm = (tenantId: string) => ({
  AlarmName: tenantAlarmName('latchkey', { ...DEPLOYMENT_KEY, tenantId }, 'credential-refused'),
});

describe('the alarms of a deployment', () => {
  it('are this deployment’s metric and composite alarms', async () => {
    const system = new OperatedSystem();
    system.alarms.compositeAlarms = [
      {
        AlarmName: deploymentAlarmName('latchkey', DEPLOYMENT_KEY, 'tokens'),
        StateValue: 'ALARM',
        StateTransitionedTimestamp: SINCE,
        StateUpdatedTimestamp: new Date('2026-01-31T11:59:00.000Z'),
        AlarmDescription: 'What happened.',
        ActionsEnabled: true,
        AlarmActions: ['arn:topic'],
      },
    ];
    const silenced = { ActionsEnabled: false, AlarmActions: ['arn:topic'] };
    Object.assign(system.alarms.metricAlarms[0]!, silenced);

    const alarms = await read(system);

    expect(alarms).toEqual([
      { name: 'latchkey-staging-mea/token-life', state: 'OK', description: '', notifies: false },
      {
        name: 'latchkey-staging-mea/tokens',
        state: 'ALARM',
        since: '2026-01-31T11:48:00.000Z',
        description: 'What happened.',
        notifies: true,
      },
    ]);
  });

  it('have no control characters in their texts', async () => {
    const system = new OperatedSystem();
    system.alarms.metricAlarms = [
      {
        AlarmName: `${deploymentAlarmName('latchkey', DEPLOYMENT_KEY, 'token-life')}\u001b]0;title\u0007`,
        AlarmDescription: 'Red \u001b[2J\u009b31m\rover\u202e here.\nNext.',
      },
    ];

    const [alarm] = await read(system);

    expect(alarm?.name).toBe('latchkey-staging-mea/token-life ]0;title ');
    expect(alarm?.description).toBe('Red  [2J 31m over  here. Next.');
  });

  it('are read to the last page', async () => {
    const system = new OperatedSystem();
    system.alarms.metricAlarms = Array.from({ length: 250 }, (_, index) => tenantAlarm(`tenant-${index}`));

    const alarms = await read(system);

    expect(new Set(alarms.map(({ name }) => name)).size).toBe(250);
    expect(system.alarms.requests).toHaveLength(3);
  });

  it('are those of the deployment and the requested tenant', async () => {
    const system = new OperatedSystem();
    system.alarms.metricAlarms.push(tenantAlarm('tenant-1'), tenantAlarm('tenant-10'));

    const alarms = await read(system, 'tenant-1');

    expect(alarms.map(({ name }) => alarmOfName(name).tenantId)).toEqual(['tenant-1', undefined]);
  });

  it('advise commands with the flags that select the system', async () => {
    const system = new OperatedSystem();
    const description = 'Run `latchkey doctor --fix` or `npx cdk deploy`, see `docs/runbook/x.md`.';
    system.alarms.metricAlarms = [{ ...tenantAlarm('tenant-1'), AlarmDescription: description }];

    const [alarm] = await read(system, undefined, '--local');

    expect(alarm!.description).toBe(
      'Run `latchkey doctor --fix --local` or `npx cdk deploy`, see `docs/runbook/x.md`.',
    );
  });
});

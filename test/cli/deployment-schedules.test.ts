import { SchedulerClient } from '@aws-sdk/client-scheduler';

import { enableSchedule, readSchedules } from '../../cli/deployment-schedules';
import { FakeTerminal } from './support/fake-terminal';
import { denialOf } from './support/in-memory-monitoring';
import { OperatedSystem } from './support/operated-system';

const SWEEP = 'latchkey-staging-mea-token-sweep';

describe('the schedules of a deployment', () => {
  it('are enabled, disabled or missing', async () => {
    const system = new OperatedSystem();
    system.schedules.definitions.set(SWEEP, { Name: SWEEP, State: 'DISABLED' });
    system.schedules.definitions.delete('latchkey-staging-mea-credential-watch');

    const schedules = await readSchedules(system.context(new FakeTerminal()), system.deployment());

    expect(schedules).toEqual([
      { functionName: 'token-sweep', name: SWEEP, state: 'disabled' },
      { functionName: 'credential-watch', name: 'latchkey-staging-mea-credential-watch', state: 'missing' },
      { functionName: 'credential-proof', name: 'latchkey-staging-mea-credential-proof', state: 'enabled' },
    ]);
  });

  it('are not asked for where the issuer has no API keys to prove', async () => {
    const system = new OperatedSystem();
    const deployment = system.deployment();
    const issuing = { ...deployment.issuing, profile: { tokenEndpoint: { path: '/token' } } };

    const schedules = await readSchedules(system.context(new FakeTerminal()), { ...deployment, issuing });

    expect(schedules.map(({ functionName }) => functionName)).toEqual(['token-sweep', 'credential-watch']);
  });

  it('leave out credential-proof for operators of a deployment that has none', async () => {
    const system = new OperatedSystem();
    const { send } = system.schedules;
    const denied = denialOf('scheduler:GetSchedule', 'arn:schedule');
    system.schedules.send = async (command) => {
      if (command.input.Name?.endsWith('credential-proof') === true) throw denied;
      return send(command);
    };

    const schedules = await readSchedules(system.context(new FakeTerminal()), system.deployment());

    expect(schedules.map(({ functionName }) => functionName)).toEqual(['token-sweep', 'credential-watch']);
  });
});

// Amazon EventBridge Scheduler API Reference, GetSchedule: response syntax.
const DEFINITION = {
  ActionAfterCompletion: 'NONE',
  Arn: `arn:aws:scheduler:eu-west-1:111122223333:schedule/default/${SWEEP}`,
  CreationDate: 1769860800.5,
  Description: 'Starts token-sweep',
  FlexibleTimeWindow: { MaximumWindowInMinutes: 5, Mode: 'FLEXIBLE' },
  GroupName: 'default',
  LastModificationDate: 1769860800.5,
  Name: SWEEP,
  ScheduleExpression: 'rate(5 minutes)',
  ScheduleExpressionTimezone: 'Europe/Zurich',
  StartDate: 1769860800,
  State: 'DISABLED',
  Target: {
    Arn: 'arn:aws:lambda:eu-west-1:111122223333:function:sweep',
    Input: '{"action":"sweep"}',
    RetryPolicy: { MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 2 },
    RoleArn: 'arn:aws:iam::111122223333:role/schedule',
  },
};

it('enabling a schedule keeps the rest of its definition, on the wire', async () => {
  const system = new OperatedSystem();
  const sent: { method: string; body: Uint8Array }[] = [];
  const handle = async (request: (typeof sent)[0]) => {
    sent.push(request);
    const answer = request.method === 'GET' ? DEFINITION : { ScheduleArn: DEFINITION.Arn };
    const headers = { 'content-type': 'application/json' };
    return { response: { statusCode: 200, headers, body: Buffer.from(JSON.stringify(answer)) } };
  };
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const requestHandler = { handle } as never;
  const scheduler = new SchedulerClient({ region: 'eu-west-1', credentials, requestHandler });

  await enableSchedule(system.context(new FakeTerminal()), { ...system.deployment(), scheduler }, SWEEP);

  const put = sent.find(({ method }) => method === 'PUT')!;
  const readOnly = {
    Arn: undefined,
    CreationDate: undefined,
    LastModificationDate: undefined,
    Name: undefined,
  };
  expect(JSON.parse(new TextDecoder().decode(put.body))).toEqual({
    ...DEFINITION,
    ...readOnly,
    State: 'ENABLED',
    ClientToken: expect.any(String) as string,
  });
});

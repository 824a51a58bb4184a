import { SCHEDULED_FUNCTIONS, scheduleName } from '../../../core/deployment/schedules';
import { inspect } from '../../../core/findings/inspect';
import { type ScheduleState } from '../../../core/findings/schedule-findings';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { namesOf, snapshotOf, token } from './snapshots';

function schedulesThatAre(state: ScheduleState['state']): ScheduleState[] {
  return SCHEDULED_FUNCTIONS.map((functionName) => ({
    functionName,
    name: scheduleName('latchkey', { environment: 'staging', platformRegion: 'mea' }, functionName),
    state,
  }));
}

function findingsOf(schedules?: ScheduleState[], flags = '--local') {
  return inspect({ snapshot: snapshotOf(), nowMs: NOON_MS, flags, schedules });
}

test('schedules that are enabled or were not read are no finding', () => {
  expect([...findingsOf(schedulesThatAre('enabled')), ...findingsOf()]).toEqual([]);
});

test('a disabled schedule is critical, and a program can enable it', () => {
  const findings = findingsOf(schedulesThatAre('disabled'));

  expect(namesOf(findings)).toEqual(['critical schedule_disabled', 'critical schedule_disabled']);
  expect(findings[0]).toMatchObject({
    place: { environment: 'staging', platformRegion: 'mea' },
    message: 'The schedule latchkey-staging-mea-token-sweep is disabled, so nothing starts token-sweep.',
    repair: {
      command: 'latchkey doctor --fix --environment staging --platform-region mea --local',
      fix: { action: 'enable_schedule', scheduleName: 'latchkey-staging-mea-token-sweep' },
    },
  });
  expect(findings.map(({ meaning }) => meaning)).toEqual([
    expect.stringContaining('token'),
    expect.stringContaining('warned'),
  ]);
});

test('a missing schedule is critical, and deploying the stack recreates it', () => {
  const [finding] = findingsOf(schedulesThatAre('missing'), '');

  expect(finding).toMatchObject({
    kind: 'schedule_missing',
    severity: 'critical',
    repair: { command: 'npx cdk deploy latchkey-staging-mea --revert-drift' },
  });
  expect(finding!.repair.fix).toBeUndefined();
});

test('on a laptop, where no CDK command works, a new start recreates it', () => {
  const [finding] = findingsOf(schedulesThatAre('missing'));

  expect(finding!.repair).toEqual({ remedy: expect.stringContaining('start it again') as string });
});

test('a schedule comes before the tokens that its function would renew', () => {
  const snapshot = snapshotOf({ tokens: [token(0)] });

  const findings = inspect({ snapshot, nowMs: NOON_MS, schedules: schedulesThatAre('disabled') });

  expect(findings.map(({ kind }) => kind)).toEqual([
    'schedule_disabled',
    'schedule_disabled',
    'token_expired',
  ]);
});

test('the schedule that proves API keys is asked for only where they open the restore API', () => {
  const schedules = schedulesThatAre('missing').filter(
    ({ functionName }) => functionName === 'credential-proof',
  );
  const snapshot = snapshotOf();
  const { deployment } = snapshot;
  const restoreApi = { ...deployment.restoreApi, acceptsApiKeys: true };

  expect(findingsOf(schedules)).toEqual([]);
  expect(
    inspect({
      snapshot: { ...snapshot, deployment: { ...deployment, restoreApi } },
      nowMs: NOON_MS,
      schedules,
    }),
  ).toMatchObject([{ kind: 'schedule_missing', meaning: expect.stringContaining('restore API') as string }]);
});

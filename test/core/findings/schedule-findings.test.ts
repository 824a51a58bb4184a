import { SCHEDULED_FUNCTIONS, scheduleName } from '../../../core/deployment/schedules';
import { inspect, type InspectInput } from '../../../core/findings/inspect';
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

function findingsOf(schedules: ScheduleState[] | undefined, change: Partial<InspectInput> = {}) {
  return inspect({ snapshot: snapshotOf(), nowMs: NOON_MS, flags: '--local', schedules, ...change });
}

test('schedules that are enabled or were not read are no finding', () => {
  expect([...findingsOf(schedulesThatAre('enabled')), ...findingsOf(undefined)]).toEqual([]);
});

test('a disabled schedule is critical, comes before the tokens that it would renew, and a program can enable it', () => {
  const findings = findingsOf(schedulesThatAre('disabled'), { snapshot: snapshotOf({ tokens: [token(0)] }) });

  expect(namesOf(findings)).toEqual([
    'critical schedule_disabled',
    'critical schedule_disabled',
    'critical token_expired',
  ]);
  expect(findings[0]).toMatchObject({
    place: { environment: 'staging', platformRegion: 'mea' },
    message: 'The schedule latchkey-staging-mea-token-sweep is disabled, so nothing starts token-sweep.',
    meaning: expect.stringContaining('token') as string,
    repair: {
      command: 'latchkey doctor --fix --environment staging --platform-region mea --local',
      fix: { action: 'enable_schedule', scheduleName: 'latchkey-staging-mea-token-sweep' },
    },
  });
  expect(findings[1]!.meaning).toContain('warned');
});

test('a missing schedule is recreated by deploying the stack, or by a new start of the laptop system', () => {
  const [onAws] = findingsOf(schedulesThatAre('missing'), { flags: '' });
  const [onLaptop] = findingsOf(schedulesThatAre('missing'));

  expect(onAws).toMatchObject({ kind: 'schedule_missing', severity: 'critical' });
  expect(onAws!.repair).toEqual({ command: 'npx cdk deploy latchkey-staging-mea --revert-drift' });
  expect(onLaptop!.repair).toEqual({ remedy: expect.stringContaining('start it again') as string });
});

test('the schedule that proves API keys is asked for only where they open the restore API', () => {
  const schedules = schedulesThatAre('missing').filter(
    ({ functionName }) => functionName === 'credential-proof',
  );
  const snapshot = snapshotOf();
  snapshot.deployment.restoreApi.acceptsApiKeys = true;

  expect(findingsOf(schedules)).toEqual([]);
  expect(findingsOf(schedules, { snapshot })).toMatchObject([
    { kind: 'schedule_missing', meaning: expect.stringContaining('restore API') as string },
  ]);
});

import { type Place } from './place';
import { type Scenario } from './runbook-scenarios';

const MINUTE_SEC = 60;
/** Longer than the window of the alarms that look back over two sweeps. */
const SOME_SWEEPS_SEC = 15 * MINUTE_SEC;

/** The pages that alarms name. Each scenario ends with no alarm on in its deployment. */
export const ALARM_SCENARIOS: Record<string, (place: Place) => Scenario> = {
  'alarms.md#a-function-does-not-run': (place) => ({
    begin: async () => {
      await place.loadWithTokens();
      // Past the warm-up of the new deployment's alarm.
      await place.system.advance(SOME_SWEEPS_SEC);
      await place.setSchedule('DISABLED');
      await place.system.advance(SOME_SWEEPS_SEC);
    },
    finds: ['schedule_disabled'],
    inAlarm: ['sweep-silent'],
    steps: [{ after: () => quietAfter(place, SOME_SWEEPS_SEC) }],
  }),

  'alarms.md#tokens-cannot-be-renewed': (place) => ({
    begin: async () => {
      await place.fail('token', { status: 302, headers: { location: 'https://127.0.0.1/' } });
      await place.system.advance(55 * MINUTE_SEC);
    },
    inAlarm: ['tokens-blocked'],
    steps: [
      { exitCode: 1, says: /redirect/ },
      {
        before: async () => {
          await place.system.control('DELETE', '/faults');
          await place.system.advance(MINUTE_SEC);
        },
        after: () => quietAfter(place, SOME_SWEEPS_SEC),
      },
    ],
  }),

  'alarms.md#dead-letters': (place) => ({
    begin: async () => {
      const { credentialWatch } = place.deployment.functions;
      for (let n = 0; n < 3; n += 1) await place.system.queue(credentialWatch!, { action: 'none' });
      await place.system.advance(10 * MINUTE_SEC);
    },
    inAlarm: ['dead-letters'],
    steps: [
      {
        exitCode: 1,
        says: /dead-letters/,
        after: async () => {
          expect(await place.deadLetters()).toHaveLength(3);
          await quietAfter(place, SOME_SWEEPS_SEC);
        },
      },
    ],
  }),

  'alarms.md#the-restore-api': (place) => ({
    begin: async () => {
      await place.fail('content', { status: 500, times: 5 });
      const authorization = await place.basic();
      const [contentId] = await place.archivedContents();
      for (let n = 0; n < 5; n += 1) await place.restore(contentId!, { authorization });
      await place.system.advance(MINUTE_SEC);
    },
    inAlarm: ['restore-errors', 'restore-outcome-unknown'],
    steps: [
      {
        exitCode: 1,
        says: /restore-outcome-unknown/,
        after: () => quietAfter(place, 75 * MINUTE_SEC),
      },
      { says: /No fault found/ },
    ],
  }),
};

async function quietAfter(place: Place, seconds: number): Promise<void> {
  await place.system.advance(seconds);
  expect([...(await place.alarms('ALARM')).keys()]).toEqual([]);
}

import { InvokeCommand } from '@aws-sdk/client-lambda';

import { archived, deadLetters, loadWithTokens, type Place } from './journeys';
import { setSchedule } from './schedules';
import { bringPlatformUp } from './operating';
import { basicOf, callRestore, failContent } from './restore-calls';
import { type Scenario } from './runbook-scenarios';
import { redAlarms } from './alarms';

const MINUTE_SEC = 60;
/** Longer than the window of the alarms that look back over two sweeps. */
const SOME_SWEEPS_SEC = 15 * MINUTE_SEC;

/** The pages that alarms name. Each scenario ends with no alarm on in its deployment. */
export const ALARM_SCENARIOS: Record<string, (place: Place) => Scenario> = {
  'alarms.md#a-function-does-not-run': (place) => {
    const { system } = place;
    return {
      begin: async () => {
        await loadWithTokens(place);
        // Past the warm-up of the new deployment's alarm.
        await system.advance(SOME_SWEEPS_SEC);
        await setSchedule(place, 'token-sweep', 'DISABLED');
        await system.advance(SOME_SWEEPS_SEC);
      },
      finds: ['schedule_disabled'],
      inAlarm: ['sweep-silent'],
      steps: [{ after: () => quietAfter(place, SOME_SWEEPS_SEC) }],
    };
  },

  'alarms.md#tokens-cannot-be-renewed': (place) => {
    const { system, tenant } = place;
    return {
      begin: async () => {
        const elsewhere = { status: 302, headers: { location: 'https://127.0.0.1/' } };
        const match = { tenantId: tenant.tenantId };
        await system.control('POST', '/faults', { target: 'token', match, ...elsewhere });
        await system.advance(55 * MINUTE_SEC);
      },
      inAlarm: ['tokens-blocked'],
      steps: [
        { exitCode: 1, says: /redirect/ },
        {
          before: async () => {
            await bringPlatformUp(place);
            await system.advance(MINUTE_SEC);
          },
          after: () => quietAfter(place, SOME_SWEEPS_SEC),
        },
      ],
    };
  },

  'alarms.md#dead-letters': (place) => {
    const { system, deployment } = place;
    return {
      begin: async () => {
        for (let n = 0; n < 3; n += 1) {
          await system.operator.lambda.send(
            new InvokeCommand({
              FunctionName: deployment.functions.credentialWatch!,
              InvocationType: 'Event',
              Payload: Buffer.from('{"action":"none"}'),
            }),
          );
        }
        await system.advance(10 * MINUTE_SEC);
      },
      inAlarm: ['dead-letters'],
      steps: [
        {
          exitCode: 1,
          says: /dead-letters/,
          after: async () => {
            expect(await deadLetters(place)).toHaveLength(3);
            await quietAfter(place, SOME_SWEEPS_SEC);
          },
        },
      ],
    };
  },

  'alarms.md#the-restore-api': (place) => {
    return {
      begin: async () => {
        await failContent(place, { status: 500, times: 5 });
        const authorization = await basicOf(place);
        const contentId = await archived(place);
        for (let n = 0; n < 5; n += 1) await callRestore(place, contentId, { authorization });
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
    };
  },
};

async function quietAfter(place: Place, seconds: number): Promise<void> {
  await place.system.advance(seconds);
  expect([...(await redAlarms(place)).keys()]).toEqual([]);
}

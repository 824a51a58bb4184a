import {
  DeleteSecretCommand,
  CancelRotateSecretCommand,
  DescribeSecretCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';

import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
import { type AdviceRow } from './advice';
import { endFaults, failSecrets, failTokens } from './faults-by-tenant';
import { issue, type Place, sweep, tokenArn } from './journeys';
import { setSchedule } from './observing';
import { leavePending, loadKeyForDays, rotateTo, takePlatformDown } from './operating';

/** Until the next sweep has ended. */
const A_SWEEP_SEC = 6 * 60;
/** Longer than a rotation may run, and than two sweeps take. */
const A_WHILE_SEC = 11 * 60 + 30;
/** Longer than any token is valid. */
const UNTIL_EXPIRED_SEC = 61 * 60;
const INVALID_SCOPE = { status: 400, body: { error: 'invalid_scope' } };

const pairOf = (place: Place) => place.tenant.clientCredentialsArn;
const scheduledForDeletion = (arnOf: (place: Place) => string) => (place: Place) =>
  place.system.administrator.secrets.send(new DeleteSecretCommand({ SecretId: arnOf(place) }));
const deletedByForce = (arnOf: (place: Place) => string) => (place: Place) =>
  place.system.administrator.secrets.send(
    new DeleteSecretCommand({ SecretId: arnOf(place), ForceDeleteWithoutRecovery: true }),
  );
const readToken = (place: Place) => tokenArn(place, 'api/read');
const put = (place: Place, arn: string, value: unknown) =>
  place.system.putSecret(place.system.administrator, arn, value);
/** The fault ends, and the next sweep runs, without any command. */
const endsByItself = async (place: Place) => {
  await endFaults(place);
  await place.system.advance(A_SWEEP_SEC);
};
const stage = async (place: Place, SecretId: string, value: object) =>
  place.system.operator.secrets.send(
    new PutSecretValueCommand({
      SecretId,
      SecretString: JSON.stringify(value),
      VersionStages: [CANDIDATE_LABEL],
    }),
  );

const BY_ADMINISTRATOR = /ask an administrator of the account/;
/** As an administrator does. @param schedule the configured one unless given */
const setRotation = (place: Place, SecretId: string, schedule = 'cron(0 8 1 */3 ? *)') =>
  place.system.administrator.secrets.send(
    new RotateSecretCommand({
      SecretId,
      RotateImmediately: false,
      RotationRules: { ScheduleExpression: schedule },
    }),
  );

/** Low at first; expired if the rows before took some time. */
const UNRENEWED = ['token_low', 'token_expired'] as const;
const nothing = async () => undefined;
/** The platform fails until the tokens have expired. */
const expiredWith = (fault: object) => async (place: Place) => {
  await failTokens(place, fault);
  await place.system.advance(UNTIL_EXPIRED_SEC);
};

/** The faults of one tenant that can be made on the laptop. Their codes are those of test/faults. */
export const TENANT_ROWS: readonly AdviceRow[] = [
  {
    fault: 'F6: the platform revokes the credential',
    finds: ['credential_refused'],
    make: async (place) => {
      const { clientId } = await place.system.secret<{ clientId: string }>(pairOf(place));
      await place.system.control('DELETE', '/credentials', { clientId });
    },
  },
  {
    fault: 'F6: the platform refuses the scope',
    finds: ['credential_refused'],
    make: (place) => failTokens(place, INVALID_SCOPE),
    elsewhere: { says: /the missing scope from the platform’s support/, done: endFaults },
  },
  {
    fault: 'F17: the secret holds no client credential',
    finds: ['credential_refused'],
    make: (place) => put(place, pairOf(place), { wrong: 'fields' }),
  },
  {
    fault: 'F17: the secret of the client credential is deleted',
    finds: ['secret_missing'],
    make: deletedByForce(pairOf),
    elsewhere: { says: /Stop the laptop system/ },
  },
  {
    fault: 'F17: the secret of a token is deleted',
    finds: ['secret_missing'],
    make: deletedByForce(readToken),
    elsewhere: { says: /Stop the laptop system/ },
  },
  {
    fault: 'F18: the secret of the client credential is scheduled for deletion',
    finds: ['secret_scheduled_for_deletion'],
    make: scheduledForDeletion(pairOf),
  },
  {
    fault: 'F18: the secret of the API key is scheduled for deletion',
    finds: ['secret_scheduled_for_deletion'],
    make: scheduledForDeletion(({ tenant }) => tenant.apiKeyArn!),
  },
  {
    fault: 'F18: the secret of a token is scheduled for deletion',
    finds: ['secret_scheduled_for_deletion'],
    make: scheduledForDeletion(readToken),
  },
  {
    fault: 'F16: a token may not be decrypted',
    finds: ['missing_grant'],
    make: (place) => failSecrets(place, 'GetSecretValue', 'DecryptionFailure', readToken(place)),
    elsewhere: { says: /Stop the laptop system/, done: endsByItself },
  },
  {
    fault: 'F16: the client credential may not be decrypted',
    finds: UNRENEWED,
    make: (place) => failSecrets(place, 'GetSecretValue', 'DecryptionFailure', pairOf(place)),
    elsewhere: { says: /docs\/runbook\/alarms\.md#tokens-cannot-be-renewed/, done: endsByItself },
  },
  {
    fault: 'F14: Secrets Manager throttles reads',
    finds: ['not_inspected'],
    make: nothing,
    late: (place) => failSecrets(place, 'GetSecretValue', 'ThrottlingException', readToken(place)),
    elsewhere: { says: /latchkey status/, done: endFaults },
  },
  {
    fault: 'F15: Secrets Manager takes no more versions of a token',
    finds: UNRENEWED,
    make: (place) => failSecrets(place, 'PutSecretValue', 'LimitExceededException', readToken(place)),
    elsewhere: { says: /docs\/runbook\/alarms\.md#tokens-cannot-be-renewed/, done: endsByItself },
  },
  {
    fault: 'F5: the platform fails',
    finds: UNRENEWED,
    make: (place) => failTokens(place, { status: 503 }),
    elsewhere: { says: /^Wait: .*platform’s support/, done: endsByItself },
  },
  {
    fault: 'F1: the platform closes the connection',
    finds: UNRENEWED,
    make: nothing,
    late: expiredWith({ reset: 'before' }),
    elsewhere: { says: /^Wait: .*platform’s support/, done: endsByItself },
  },
  {
    fault: 'F3: the platform throttles',
    finds: UNRENEWED,
    make: nothing,
    late: expiredWith({ status: 429, headers: { 'retry-after': '30' } }),
    elsewhere: { says: /^Wait: .*platform’s support/, done: endsByItself },
  },
  {
    fault: 'F7: the platform answers with HTML',
    finds: UNRENEWED,
    make: nothing,
    late: expiredWith({ status: 200, body: '<p>Sorry</p>' }),
    elsewhere: { says: /^Wait: .*platform’s support/, done: endsByItself },
  },
  {
    fault: 'F9: the platform issues tokens without an expiry',
    finds: UNRENEWED,
    make: nothing,
    late: expiredWith({
      status: 200,
      body: { access_token: 'not-a-token', token_type: 'Bearer', expires_in: 'never' },
    }),
    elsewhere: { says: /^Wait: .*platform’s support/, done: endsByItself },
  },
  {
    fault: 'F11: the platform redirects',
    finds: UNRENEWED,
    make: nothing,
    late: expiredWith({ status: 302, headers: { location: 'https://127.0.0.1/' } }),
    elsewhere: {
      says: /for a redirect .*docs\/runbook\/alarms\.md#tokens-cannot-be-renewed/,
      done: endsByItself,
    },
  },
  {
    fault: 'the platform failed until just now',
    finds: UNRENEWED,
    make: (place) => failTokens(place, { status: 404 }),
    late: endFaults,
  },
  {
    fault: 'the secret of a token holds something else',
    finds: ['token_missing'],
    make: nothing,
    late: (place) => put(place, readToken(place), { wrong: 'fields' }),
  },
  {
    fault: 'F24: a rotation without a candidate left its pending version',
    finds: ['pending_left_behind'],
    make: (place) => leavePending(place, pairOf(place)),
  },
  {
    fault: 'F24: a candidate label is left on the current version',
    finds: ['candidate_left_behind'],
    make: async (place) => {
      const SecretId = pairOf(place);
      const { secrets } = place.system.administrator;
      const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
      const [current] = Object.entries(VersionIdsToStages).find(([, on]) => on.includes('AWSCURRENT'))!;
      await secrets.send(
        new UpdateSecretVersionStageCommand({
          SecretId,
          VersionStage: CANDIDATE_LABEL,
          MoveToVersionId: current,
        }),
      );
    },
  },
  {
    fault: 'somebody turned the rotation of a credential off',
    finds: ['rotation_schedule_differs'],
    make: (place) =>
      place.system.administrator.secrets.send(new CancelRotateSecretCommand({ SecretId: pairOf(place) })),
    elsewhere: { says: BY_ADMINISTRATOR, done: (place) => setRotation(place, pairOf(place)) },
  },
  {
    fault: 'somebody changed the rotation schedule of an API key',
    finds: ['rotation_schedule_differs'],
    make: (place) => setRotation(place, place.tenant.apiKeyArn!, 'cron(0 9 1 * ? *)'),
    elsewhere: { says: BY_ADMINISTRATOR, done: (place) => setRotation(place, place.tenant.apiKeyArn!) },
  },
  {
    fault: 'F25: the platform refused the candidate',
    finds: ['candidate_refused'],
    make: (place) => rotateTo(place, pairOf(place), { clientId: 'unknown', clientSecret: 'wrong' }),
  },
  {
    fault: 'F25: the platform could not test the candidate, and works again',
    finds: ['candidate_untested'],
    make: async (place) => {
      await takePlatformDown(place);
      await rotateTo(place, pairOf(place), await issue(place, 'credentials'));
      await endFaults(place);
    },
  },
  {
    fault: 'F25: the platform could not test an API key, and still fails',
    finds: ['candidate_untested'],
    make: async (place) => {
      await takePlatformDown(place);
      await rotateTo(place, place.tenant.apiKeyArn!, await issue(place, 'api-keys'));
      await endFaults(place);
    },
    late: takePlatformDown,
    elsewhere: { says: /When the platform works again: latchkey/, done: endFaults },
  },
  {
    fault: 'F22: a command was killed after it staged a candidate',
    finds: ['candidate_waiting'],
    make: async (place) => stage(place, pairOf(place), await issue(place, 'credentials')),
  },
  {
    fault: 'F27: tokens of the previous credential remain',
    finds: ['token_of_retired_credential'],
    make: nothing,
    late: async (place) => {
      for (const { arn } of place.tenant.tokens) {
        await failSecrets(place, 'PutSecretValue', 'AccessDeniedException', arn);
      }
      await put(place, pairOf(place), await issue(place, 'credentials'));
      await place.system.advance(A_WHILE_SEC);
      await endFaults(place);
    },
  },
  {
    fault: 'an API key expires in 20 days',
    finds: ['api_key_expiring_in_30_days'],
    make: (place) => loadKeyForDays(place, 20),
  },
  {
    fault: 'an API key expires in 5 days',
    finds: ['api_key_expiring_in_7_days'],
    make: (place) => loadKeyForDays(place, 5),
  },
  {
    fault: 'an API key has expired',
    finds: ['api_key_expired'],
    make: (place) => loadKeyForDays(place, -1),
  },
  {
    fault: 'F6: a client credential was written by hand that the platform refuses',
    finds: ['credential_refused'],
    make: (place) => put(place, pairOf(place), { clientId: 'app', clientSecret: 'wrong' }),
  },
  {
    fault: 'somebody pasted a text that is no API key',
    finds: ['api_key_expired'],
    make: (place) => put(place, place.tenant.apiKeyArn!, { wrong: 'fields' }),
  },
  {
    fault: 'somebody pasted an API key that the platform refuses',
    finds: ['credential_refused'],
    make: async (place) => {
      const key = await issue(place, 'api-keys');
      await put(place, place.tenant.apiKeyArn!, { ...key, apiKey: 'an API key of another place' });
    },
  },
];

/** The faults of a whole deployment. */
export const DEPLOYMENT_ROWS: readonly AdviceRow[] = [
  {
    fault: 'F21: the schedule of token-sweep is disabled',
    finds: ['schedule_disabled'],
    make: (place) => setSchedule(place, 'token-sweep', 'DISABLED', place.system.run.aws),
  },
  {
    fault: 'the schedule of credential-watch is disabled',
    finds: ['schedule_disabled'],
    make: (place) => setSchedule(place, 'credential-watch', 'DISABLED', place.system.run.aws),
  },
  {
    fault: 'the platform does not offer restore, although it is configured',
    finds: ['restore_absent'],
    make: nothing,
    late: async (place) => {
      await sweep(place);
      await place.system.control('POST', '/restore', { available: false });
    },
    elsewhere: {
      says: /Set restore\.method and restore\.path .* as the platform documents them/,
      done: async (place) => {
        await place.system.control('POST', '/restore', { available: true });
        await place.system.advance(A_SWEEP_SEC);
      },
    },
  },
];

/** Faults that only months bring. Meanwhile the rotation schedule may have fired without a candidate. */
export const AGED_ROWS: readonly AdviceRow[] = [
  {
    fault: 'credentials are due for rotation',
    finds: ['rotation_due'],
    make: nothing,
    isAmongOthers: true,
  },
];

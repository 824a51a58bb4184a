import { type ScheduledFunction } from '../deployment/schedules';
import { type FindingKind, SECRET_FAULTS } from '../findings/finding-kinds';
import { GUARANTEED_LIFE_SEC, MIN_GUARANTEED_LIFETIME_SEC, SWEEP_INTERVAL_SEC } from '../tokens/lifetimes';

/** A limit of an alarm's condition that the configuration may change: a whole number. */
export interface AlarmThreshold {
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly default: number;
  /** When the alarm goes into alarm, as the page about the configuration says it. */
  readonly text: string;
}

/** What an alarm's sentences may name besides its thresholds. */
export interface AlarmWords {
  /** Environment and platform region, after the tenant if it is a tenant's alarm. */
  readonly place: string;
  /** Commands for this place, in back-quotes. */
  readonly status: string;
  readonly doctor: string;
  readonly fix: string;
  /** Whether the issuer has API keys. */
  readonly hasApiKeys: boolean;
  /** Age in days at which a credential must be replaced. Only for a deployment's alarms. */
  readonly maxAgeDays?: number;
}

/** What happened, what it means for callers, and what to do: one sentence each, without the full stop. */
export type AlarmText = readonly [happened: string, means: string, advice: string];

/** In alarm if any of its members is, so that one outage notifies once. */
export type CompositeAlarm = 'tokens' | 'restore';

/** All that is said of an alarm. Its condition is in `lib/constructs/observability`. */
export interface AlarmRow<Limit extends string = never> {
  /**
   * What notifies a person of the fault: the alarm itself, the composite alarm of which it is a member, the tenant's alarm, or
   * nothing. With the last two, the alarm exists only with `fullMonitoring`.
   */
  readonly notifies: 'itself' | CompositeAlarm | 'tenant' | 'nobody';
  readonly thresholds?: Readonly<Record<Limit, AlarmThreshold>>;
  /** When it goes into alarm, for the page about alarms. Gets the default of each threshold. */
  condition(this: void, limits: Readonly<Record<Limit, number>>): string;
  /** The last sentence names a command, or a section of the runbook. */
  text(this: void, words: AlarmWords & Readonly<Record<Limit, number>>): AlarmText;
  /** The kinds of findings that explain it, and the functions whose schedule may not run. @default none */
  readonly explainedBy?: readonly (FindingKind | ScheduledFunction)[];
  /** When it ends once its fault is over: the end of a sentence that begins with `It ends`. */
  readonly ends: string;
  /** Whether `status` finds the fault for as long as it lasts, so that no finding means it is over. @default false */
  readonly isFound?: boolean;
}

/** A row whose texts may name the thresholds that it declares. */
function alarm<const Limit extends string = never>(row: AlarmRow<Limit>): AlarmRow<Limit> {
  return row;
}

/**
 * The interval of sweeps plus one minute, because the schedule may start a sweep a minute late. Without it, one failed sweep followed by
 * a late one would count as two.
 * @see Amazon EventBridge Scheduler User Guide, "Schedule types" (60-second precision)
 */
export const SWEEP_PERIOD_SEC = SWEEP_INTERVAL_SEC + 60;

const RENEWAL_FINDINGS = [
  'platform_unavailable',
  'renewal_failed',
  ...SECRET_FAULTS,
] as const satisfies FindingKind[];

const REFUSAL_FINDINGS = [
  'credential_refused',
  'credential_unproven',
  'api_key_expired',
] as const satisfies FindingKind[];

/** For faults of secrets and tokens that sweeps count, and that `status` finds. */
const ENDS_WITH_SWEEPS = { ends: 'by itself within 11 minutes', isFound: true } as const;
const ENDS_WITH_WATCH = {
  ends: 'within an hour if latchkey fixed the fault, and otherwise after the next run of credential-watch, every six hours',
  isFound: true,
} as const;

/** The alarms of a deployment by id. Each fault notifies once (docs/decisions/0011-one-page-per-fault.md). */
export const DEPLOYMENT_ALARM_ROWS = {
  tokens: alarm({
    notifies: 'itself',
    condition: () => anyMemberOf('tokens'),
    text: ({ place, status }) => [
      `Token renewal in ${place} fails, does not run, or costs too many requests`,
      'Callers may soon be without a valid token, or already are',
      `Run ${status} to see which alarms caused this and what to do`,
    ],
    ends: 'with the alarms that caused it',
  }),
  'token-life': alarm({
    notifies: 'tokens',
    thresholds: {
      tokenLifeMinutes: {
        unit: 'minutes',
        min: 1,
        // The validity guaranteed in normal operation; more would raise false alarms.
        max: GUARANTEED_LIFE_SEC / 60,
        default: 8,
        text: 'A token expires in less than this. Tokens are seen every five minutes: from 8 on, the alarm comes before the first one expires, and outages of 10 minutes or more notify; with 5, only those of 15.',
      },
    },
    condition: ({ tokenLifeMinutes }) =>
      `a token expires in less than ${tokenLifeMinutes} minutes (\`tokenLifeMinutes\`); tokens of a rejected credential do not count`,
    text: ({ place, tokenLifeMinutes, fix }) => [
      `A token in ${place} expires in less than ${tokenLifeMinutes} minutes, or has expired, and could not be renewed`,
      'Callers that read it soon hold an expired token, or do already, and their requests get 401',
      `Run ${fix}, which requests the tokens again or says why that fails`,
    ],
    explainedBy: [...RENEWAL_FINDINGS, 'token_expired', 'token_low', 'token_missing', 'token-sweep'],
    ...ENDS_WITH_SWEEPS,
  }),
  'credential-refused': alarm({
    notifies: 'tenant',
    condition: () => "the issuer rejects a tenant's credential or a scope, or the secret holds no credential",
    text: ({ place, doctor }) => [
      `The issuer rejects a tenant’s client credentials or a scope in ${place}, or the secret holds no credentials`,
      'Its former credentials get it new tokens if they still work; otherwise its callers fail within the hour',
      `Run ${doctor}, which names the tenant and the command that fixes it`,
    ],
    explainedBy: REFUSAL_FINDINGS,
    ...ENDS_WITH_SWEEPS,
  }),
  'tokens-blocked': alarm({
    notifies: 'tokens',
    condition: () =>
      `a renewal failed because of TLS, a redirect, a missing permission, or a secret scheduled for deletion; or the issuer issued a token for less than ${MIN_GUARANTEED_LIFETIME_SEC / 60} minutes`,
    text: ({ place, doctor }) => [
      `Token renewals in ${place} need a person: a TLS error, a redirect, a missing permission, a secret scheduled for deletion, or tokens issued for less than ${MIN_GUARANTEED_LIFETIME_SEC / 60} minutes`,
      'Stored tokens work until they expire, within the hour; after that callers have none',
      `Run ${doctor} to see the cause, then follow docs/runbook/alarms.md#tokens-cannot-be-renewed`,
    ],
    explainedBy: [...RENEWAL_FINDINGS, 'token_expired', 'token_low', 'token_missing'],
    ...ENDS_WITH_SWEEPS,
  }),
  'token-requests': alarm({
    notifies: 'tokens',
    thresholds: {
      tokenRequestsPerTokenAndHour: {
        unit: 'requests',
        min: 1,
        max: 60,
        default: 6,
        text: 'More token requests per hour and declared token than this, and more than 20 in total. Requests of failed renewals do not count.',
      },
    },
    condition: ({ tokenRequestsPerTokenAndHour }) =>
      `within an hour, more token requests than ${tokenRequestsPerTokenAndHour} per declared token (\`tokenRequestsPerTokenAndHour\`) and than 20 in total: two for the regular renewals of each token, and all retries and renewals of tokens younger than 10 minutes; those of failed renewals do not count`,
    text: ({ place }) => [
      `Within an hour, Latchkey sent more token requests for ${place} than its renewals account for`,
      'Callers notice nothing yet, but the issuer may start to throttle requests',
      'Find what sends them with docs/runbook/alarms.md#too-many-token-requests',
    ],
    explainedBy: ['token_refused_early'],
    ends: 'within an hour of the last excess request',
  }),
  'sweep-silent': alarm({
    notifies: 'tokens',
    thresholds: {
      missedSweeps: {
        unit: 'sweeps',
        min: 1,
        max: 12,
        default: 2,
        text: 'This many sweeps in a row did not finish. Each counts six minutes, because a sweep may start a minute late.',
      },
    },
    condition: ({ missedSweeps }) =>
      `no sweep finished in ${minutesOf(missedSweeps)} minutes (\`missedSweeps\`, of 6 minutes each); CloudWatch may notice it up to two minutes later`,
    text: ({ place, missedSweeps, fix }) => [
      `No sweep of ${place} finished in ${minutesOf(missedSweeps)} minutes`,
      'Without sweeps, stored tokens start to expire 20 minutes after the last one, and then callers have none',
      `Run ${fix}, which enables a disabled schedule; if that does not help, follow docs/runbook/alarms.md#a-function-does-not-run`,
    ],
    explainedBy: ['token-sweep'],
    ends: 'within ten minutes of the next sweep',
  }),
  'dead-letters': alarm({
    notifies: 'nobody',
    thresholds: {
      deadLetters: {
        unit: 'messages',
        min: 1,
        max: 100,
        default: 3,
        text: 'This many function runs failed or could not start. Only with fullMonitoring.',
      },
    },
    condition: ({ deadLetters }) => `${deadLetters} messages in the dead-letter queue (\`deadLetters\`)`,
    text: ({ place, deadLetters }) => [
      `At least ${deadLetters} function runs in ${place} crashed, timed out or could not start`,
      'Callers notice nothing as long as the next runs succeed',
      'Read the messages with docs/runbook/alarms.md#dead-letters',
    ],
    ends: 'once the queue is empty',
  }),
  'rotation-due': alarm({
    notifies: 'tenant',
    thresholds: {
      rotationNoticeDays: {
        unit: 'days',
        min: 1,
        max: 90,
        default: 14,
        text: 'A credential reaches credentials.maxAgeDays within this many days. Only with fullMonitoring.',
      },
    },
    condition: ({ rotationNoticeDays }) =>
      `a credential reaches \`credentials.maxAgeDays\` within ${rotationNoticeDays} days (\`rotationNoticeDays\`)`,
    text: ({ place, maxAgeDays, rotationNoticeDays, status }) => [
      `A credential in ${place} reaches its maximum age of ${maxAgeDays} days within ${rotationNoticeDays} days`,
      'Callers notice nothing',
      `Run ${status} to see which one, and rotate it with docs/runbook/credentials.md#scheduled-rotation`,
    ],
    explainedBy: ['rotation_due', 'rotation_overdue'],
    ...ENDS_WITH_WATCH,
  }),
  'rotation-overdue': alarm({
    notifies: 'itself',
    condition: () => 'a credential is as old as `credentials.maxAgeDays`',
    text: ({ place, maxAgeDays, status }) => [
      `A credential in ${place} has been in use for ${maxAgeDays} days or longer`,
      'Callers notice nothing, but if the credential leaked, it still works',
      `Run ${status} to see which one, and rotate it with docs/runbook/credentials.md#scheduled-rotation`,
    ],
    explainedBy: ['rotation_overdue'],
    ...ENDS_WITH_WATCH,
  }),
  'rotation-refused': alarm({
    notifies: 'tenant',
    condition: () => 'the issuer rejected a staged credential',
    text: ({ place, doctor }) => [
      `The issuer rejects a credential staged for rotation in ${place}`,
      'Callers notice nothing, because the current credential stays in use',
      `Run ${doctor} to see which one, and follow docs/runbook/credentials.md#the-platform-said-no`,
    ],
    explainedBy: ['candidate_refused'],
    ...ENDS_WITH_WATCH,
  }),
  'rotation-untested': alarm({
    notifies: 'tenant',
    condition: () => 'the issuer gave no usable answer about a staged credential',
    text: ({ place, doctor }) => [
      `A credential staged for rotation in ${place} could not be tested, because the issuer gave no usable answer`,
      'Callers notice nothing, because the current credential stays in use',
      `Run ${doctor} to see which one, and follow docs/runbook/credentials.md#platform-down-during-a-rotation`,
    ],
    explainedBy: ['candidate_untested'],
    ...ENDS_WITH_WATCH,
  }),
  'rotation-stuck': alarm({
    notifies: 'nobody',
    condition: () => 'a rotation did not finish, or a staged credential is waiting',
    text: ({ place, fix }) => [
      `A rotation in ${place} started and did not finish`,
      'Callers notice nothing, because the current credential stays in use',
      `Run ${fix}, which cleans up after the rotation or names the command that finishes it`,
    ],
    explainedBy: ['candidate_waiting', 'candidate_left_behind', 'pending_left_behind'],
    ...ENDS_WITH_WATCH,
  }),
  'api-key-expiring': alarm({
    notifies: 'tenant',
    thresholds: {
      apiKeyNoticeDays: {
        unit: 'days',
        min: 2,
        max: 90,
        default: 30,
        text: 'An API key expires within this many days. Only with fullMonitoring.',
      },
    },
    condition: ({ apiKeyNoticeDays }) =>
      `an API key expires within ${apiKeyNoticeDays} days (\`apiKeyNoticeDays\`)`,
    text: ({ place, apiKeyNoticeDays, status }) => [
      `An API key in ${place} expires within ${apiKeyNoticeDays} days`,
      'After that, callers that use it for HTTP Basic are rejected',
      `Run ${status} to see which tenant, and replace the key with docs/runbook/credentials.md#api-key-about-to-expire`,
    ],
    explainedBy: ['api_key_expired', 'api_key_expiring_in_7_days', 'api_key_expiring_in_30_days'],
    ...ENDS_WITH_WATCH,
  }),
  'api-key-expiring-soon': alarm({
    notifies: 'itself',
    thresholds: {
      apiKeyUrgentDays: {
        unit: 'days',
        min: 1,
        max: 30,
        default: 7,
        text: 'An API key expires within this many days; this alarm notifies.',
      },
    },
    condition: ({ apiKeyUrgentDays }) =>
      `an API key expires within ${apiKeyUrgentDays} days (\`apiKeyUrgentDays\`), or has expired`,
    text: ({ place, apiKeyUrgentDays, status }) => [
      `An API key in ${place} expires within ${apiKeyUrgentDays} days or has expired`,
      'After that, callers that use it for HTTP Basic are rejected',
      `Run ${status} to see which tenant, and replace the key with docs/runbook/credentials.md#api-key-about-to-expire`,
    ],
    explainedBy: ['api_key_expired', 'api_key_expiring_in_7_days'],
    ...ENDS_WITH_WATCH,
  }),
  'watch-silent': alarm({
    notifies: 'itself',
    condition: () =>
      'credential-watch has not run for 12 hours; CloudWatch may notice it up to three hours later',
    text: ({ place, fix }) => [
      `credential-watch has not checked the credentials of ${place} for 12 hours`,
      'Callers notice nothing, but no alarm warns of an expiring or overdue credential',
      `Run ${fix}, which enables a disabled schedule; if that does not help, follow docs/runbook/alarms.md#a-function-does-not-run`,
    ],
    explainedBy: ['credential-watch'],
    ends: 'within an hour of the next run of credential-watch',
  }),
  restore: alarm({
    notifies: 'itself',
    condition: () => anyMemberOf('restore'),
    text: ({ place, status }) => [
      `The restore API of ${place} does not work properly`,
      'Restores may fail',
      `Run ${status} to see which alarms caused this and what to do`,
    ],
    ends: 'with the alarms that caused it',
  }),
  'restore-errors': alarm({
    notifies: 'restore',
    thresholds: {
      restoreErrorsAtLeast: {
        unit: 'answers',
        min: 1,
        max: 1000,
        default: 5,
        text: 'At least this many restores fail with 5xx (other than 501) within 15 minutes, and restoreErrorPercent is reached.',
      },
      restoreErrorPercent: {
        unit: 'percent',
        min: 1,
        max: 100,
        default: 25,
        text: 'At least this share of restores fails within 15 minutes, and restoreErrorsAtLeast is reached.',
      },
    },
    condition: ({ restoreErrorsAtLeast, restoreErrorPercent }) =>
      `within 15 minutes, ${restoreErrorsAtLeast} restores (\`restoreErrorsAtLeast\`) and ${restoreErrorPercent} % of all (\`restoreErrorPercent\`) fail with 5xx; 501 and restores without a token do not count`,
    text: ({ place, restoreErrorPercent }) => [
      `At least ${restoreErrorPercent} % of the restores in ${place} failed with 5xx within 15 minutes`,
      'Content is not restored, or the outcome is unknown',
      'Find the cause with docs/runbook/alarms.md#the-restore-api',
    ],
    ends: 'within 16 minutes of the last failed restore',
  }),
  'restore-outcome-unknown': alarm({
    notifies: 'restore',
    thresholds: {
      restoreOutcomesUnknown: {
        unit: 'answers',
        min: 1,
        max: 1000,
        default: 5,
        text: 'At least this many restores end with an unknown outcome within an hour.',
      },
    },
    condition: ({ restoreOutcomesUnknown }) =>
      `${restoreOutcomesUnknown} restores end with an unknown outcome within an hour (\`restoreOutcomesUnknown\`)`,
    text: ({ place, restoreOutcomesUnknown }) => [
      `At least ${restoreOutcomesUnknown} restores in ${place} ended with an unknown outcome within an hour`,
      'Callers must check whether the content is published before they retry',
      'Find the cause with docs/runbook/alarms.md#the-restore-api',
    ],
    ends: 'within an hour of the last unknown outcome',
  }),
  'restore-latency': alarm({
    notifies: 'restore',
    thresholds: {
      restoreLatencySec: {
        unit: 'seconds',
        min: 1,
        max: 28,
        default: 10,
        text: 'One restore in ten takes longer than this for 15 minutes.',
      },
    },
    condition: ({ restoreLatencySec }) =>
      `for 15 minutes, one restore in ten takes longer than ${restoreLatencySec} seconds (\`restoreLatencySec\`)`,
    text: ({ place, restoreLatencySec }) => [
      `One in ten restores in ${place} has taken longer than ${restoreLatencySec} seconds for 15 minutes`,
      'Callers wait, and some of them time out',
      'Find the cause with docs/runbook/alarms.md#the-restore-api',
    ],
    ends: 'within six minutes of the last slow restore',
  }),
  'restore-availability': alarm({
    notifies: 'itself',
    condition: () =>
      'the platform does not offer restore although `restore.available` is true, or offers it although it is false',
    text: ({ place, doctor }) => [
      `What the platform says of its restore operation in ${place} contradicts restore.available in the configuration`,
      'Either restores fail although they are configured, or the platform offers them and the restore API still refuses them',
      `Run ${doctor}, which says which, and what to change`,
    ],
    explainedBy: ['restore_absent', 'restore_offered'],
    ends: 'with the next restore or run of credential-watch',
    isFound: true,
  }),
  throttles: alarm({
    notifies: 'restore',
    thresholds: {
      throttles: {
        unit: 'runs',
        min: 1,
        max: 1000,
        default: 1,
        text: 'At least this many runs per five minutes are throttled for 15 minutes. The token functions do not count.',
      },
    },
    condition: ({ throttles }) =>
      `for 15 minutes, at least ${throttles === 1 ? 'one run' : `${throttles} runs`} in every 5 minutes (\`throttles\`) is throttled; the token functions do not count`,
    text: ({ place }) => [
      `Functions in ${place} have been throttled for 15 minutes, because no concurrency was available`,
      'Restores fail, and rotations and credential checks are late',
      'Find what uses the concurrency with docs/runbook/alarms.md#no-concurrency',
    ],
    ends: 'within six minutes of the last throttled run',
  }),
};

/** The alarms of a tenant by id. Both notify, and name the tenant. */
export const TENANT_ALARM_ROWS = {
  'credential-refused': alarm({
    notifies: 'itself',
    condition: () =>
      "in the last 10 minutes, the issuer rejected the tenant's credential, a scope or the current API key, the secret held no credential, or a new API key could not be tested",
    text: ({ place, doctor, hasApiKeys }) => [
      `The issuer rejects the client credentials of ${place}${hasApiKeys ? ', a scope or the API key' : ' or a scope'}, or a secret holds no credentials`,
      `Former client credentials get it new tokens if they still work, otherwise its callers fail ${hasApiKeys ? 'within the hour; a rejected API key opens no restore API' : 'once their tokens expire'}`,
      `Run ${doctor}, which names the credential and the command that loads another one`,
    ],
    explainedBy: REFUSAL_FINDINGS,
    ...ENDS_WITH_SWEEPS,
  }),
  'credential-attention': alarm({
    notifies: 'itself',
    condition: () =>
      'in its last run, credential-watch found a credential due or overdue for rotation or about to expire, a staged replacement not accepted, or an API key that cannot be read',
    text: ({ place, doctor }) => [
      `A credential of ${place} is about to expire, is due for rotation, cannot be read, or its staged replacement was not accepted`,
      'Callers notice nothing as long as the current credential is valid',
      `Run ${doctor}, which names the credential and the command that fixes it`,
    ],
    // Explained by everything that `wantsAttention`.
    ...ENDS_WITH_WATCH,
  }),
};

function minutesOf(sweeps: number): number {
  return (sweeps * SWEEP_PERIOD_SEC) / 60;
}

function anyMemberOf(alarm: CompositeAlarm): string {
  return `any of ${COMPOSITE_ALARMS[alarm].map((member) => `\`${member}\``).join(', ')} is in alarm`;
}

export type DeploymentAlarm = keyof typeof DEPLOYMENT_ALARM_ROWS;
export type TenantAlarm = keyof typeof TENANT_ALARM_ROWS;

export const DEPLOYMENT_ALARMS = Object.keys(DEPLOYMENT_ALARM_ROWS) as DeploymentAlarm[];
export const TENANT_ALARMS = Object.keys(TENANT_ALARM_ROWS) as TenantAlarm[];

/** The member alarms of each composite alarm. */
export const COMPOSITE_ALARMS: Readonly<Record<CompositeAlarm, readonly DeploymentAlarm[]>> = {
  tokens: alarmsNotifiedBy('tokens'),
  restore: alarmsNotifiedBy('restore'),
};

/** The deployment's alarms that notify the topic. */
export const NOTIFYING_ALARMS = alarmsNotifiedBy('itself');

function alarmsNotifiedBy(notifier: AlarmRow['notifies']): DeploymentAlarm[] {
  return DEPLOYMENT_ALARMS.filter((alarm) => DEPLOYMENT_ALARM_ROWS[alarm].notifies === notifier);
}

/** The deployment's alarms that exist without `fullMonitoring`: they notify, or a composite alarm does it for them. */
export function neededAlarms(hasRestoreApi: boolean): readonly DeploymentAlarm[] {
  const notifiers = ['itself', 'tokens', ...(hasRestoreApi ? ['restore'] : [])];
  return DEPLOYMENT_ALARMS.filter((alarm) => notifiers.includes(DEPLOYMENT_ALARM_ROWS[alarm].notifies));
}

type LimitOf<Row> = Row extends AlarmRow<infer Limit> ? Limit : never;

/** The limits of a deployment's alarms: fields of `alarms` in the configuration. */
export type AlarmThresholds = Readonly<
  Record<LimitOf<(typeof DEPLOYMENT_ALARM_ROWS)[DeploymentAlarm]>, number>
>;

export const ALARM_THRESHOLDS = Object.assign(
  {},
  ...Object.values(DEPLOYMENT_ALARM_ROWS).map(({ thresholds }) => thresholds),
) as Readonly<Record<keyof AlarmThresholds, AlarmThreshold>>;

export const DEFAULT_ALARM_THRESHOLDS = Object.fromEntries(
  Object.entries(ALARM_THRESHOLDS).map(([name, threshold]) => [name, threshold.default]),
) as AlarmThresholds;

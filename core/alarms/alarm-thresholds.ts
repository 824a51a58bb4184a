import { GUARANTEED_LIFE_SEC } from '../tokens/lifetimes';

/** A limit of an alarm's condition that a configuration may change: a whole number. */
export interface AlarmThreshold {
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly default: number;
  /** When the alarm goes into alarm, as the page about the configuration says it. */
  readonly text: string;
}

/** The thresholds of a deployment's alarms: fields of `alarms` in the configuration, and of `alarmThresholds` in a construct. */
export const ALARM_THRESHOLDS = {
  tokenLifeMinutes: {
    unit: 'minutes',
    min: 1,
    // The validity guaranteed in normal operation; more would raise false alarms.
    max: GUARANTEED_LIFE_SEC / 60,
    default: 5,
    text: 'A token expires in less than this.',
  },
  tokenRequestsPerTokenAndHour: {
    unit: 'requests',
    min: 1,
    max: 60,
    default: 6,
    text: 'More token requests per hour and declared token than this, and more than 20 in total. Requests of failed renewals do not count.',
  },
  missedSweeps: {
    unit: 'sweeps',
    min: 1,
    max: 12,
    default: 2,
    text: 'This many sweeps in a row did not finish. Each counts six minutes, because a sweep may start a minute late.',
  },
  deadLetters: {
    unit: 'messages',
    min: 1,
    max: 100,
    default: 3,
    text: 'This many function runs failed or could not start. Only with fullMonitoring.',
  },
  rotationNoticeDays: {
    unit: 'days',
    min: 1,
    max: 90,
    default: 14,
    text: 'A credential reaches credentials.maxAgeDays within this many days. Only with fullMonitoring.',
  },
  apiKeyNoticeDays: {
    unit: 'days',
    min: 2,
    max: 90,
    default: 30,
    text: 'An API key expires within this many days. Only with fullMonitoring.',
  },
  apiKeyUrgentDays: {
    unit: 'days',
    min: 1,
    max: 30,
    default: 7,
    text: 'An API key expires within this many days; this alarm notifies.',
  },
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
  restoreOutcomesUnknown: {
    unit: 'answers',
    min: 1,
    max: 1000,
    default: 5,
    text: 'At least this many restores end with an unknown outcome within an hour.',
  },
  restoreLatencySec: {
    unit: 'seconds',
    min: 1,
    max: 28,
    default: 10,
    text: 'One restore in ten takes longer than this for 15 minutes.',
  },
  throttles: {
    unit: 'runs',
    min: 1,
    max: 1000,
    default: 1,
    text: 'At least this many runs per five minutes are throttled for 15 minutes. The token functions do not count.',
  },
} as const satisfies Record<string, AlarmThreshold>;

/** The thresholds with every default filled in. */
export type AlarmThresholds = Readonly<Record<keyof typeof ALARM_THRESHOLDS, number>>;

import { type DeploymentAlarm, type TenantAlarm } from './alarms';

/** When an alarm ends once its fault is over: the end of a sentence that begins with `It ends`. */
interface AlarmEnd {
  readonly ends: string;
  /** Whether `status` finds the fault as long as there is one. Without a finding, the fault is over then. */
  readonly isFound: boolean;
}

const WITH_SWEEPS = 'by itself within 11 minutes';
const WITH_WATCH =
  'within an hour if latchkey fixed the fault, and otherwise after the next run of credential-watch, every six hours';

/** One row for each alarm. `docs/alarms.md` shows them. */
export const ALARM_ENDS: Readonly<Record<DeploymentAlarm | TenantAlarm, AlarmEnd>> = {
  'token-life': { ends: WITH_SWEEPS, isFound: true },
  'credential-refused': { ends: WITH_SWEEPS, isFound: true },
  'tokens-blocked': { ends: WITH_SWEEPS, isFound: true },
  'token-requests': { ends: 'within an hour of the last excess request', isFound: false },
  'sweep-silent': { ends: 'within ten minutes of the next sweep', isFound: false },
  'dead-letters': { ends: 'once the queue is empty', isFound: false },
  'rotation-due': { ends: WITH_WATCH, isFound: true },
  'rotation-overdue': { ends: WITH_WATCH, isFound: true },
  'rotation-refused': { ends: WITH_WATCH, isFound: true },
  'rotation-untested': { ends: WITH_WATCH, isFound: true },
  'rotation-stuck': { ends: WITH_WATCH, isFound: true },
  'api-key-expiring': { ends: WITH_WATCH, isFound: true },
  'api-key-expiring-soon': { ends: WITH_WATCH, isFound: true },
  'watch-silent': { ends: 'within an hour of the next run of credential-watch', isFound: false },
  'restore-errors': { ends: 'within 16 minutes of the last failed restore', isFound: false },
  'restore-outcome-unknown': { ends: 'within an hour of the last unknown outcome', isFound: false },
  'restore-latency': { ends: 'within six minutes of the last slow restore', isFound: false },
  'restore-availability': { ends: 'with the next restore or run of credential-watch', isFound: true },
  throttles: { ends: 'within six minutes of the last throttled run', isFound: false },
  tokens: { ends: 'with the alarms that caused it', isFound: false },
  restore: { ends: 'with the alarms that caused it', isFound: false },
  'credential-attention': { ends: WITH_WATCH, isFound: true },
};

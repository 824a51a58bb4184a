import { type DeploymentKey, deploymentName } from '../tokens/token-key';

/** What runs on a schedule: functions, and credential-proof, which is the event `prove` of rotate-credentials. */
export const SCHEDULED_FUNCTIONS = ['token-sweep', 'credential-watch', 'credential-proof'] as const;
export type ScheduledFunction = (typeof SCHEDULED_FUNCTIONS)[number];

/**
 * `latchkey-staging-mea-token-sweep`, in the default group of EventBridge Scheduler.
 * @see Amazon EventBridge Scheduler API Reference, CreateSchedule (Name: 1–64 characters; the limit on the prefix allows for it)
 */
export function scheduleName(
  prefix: string,
  deploymentKey: DeploymentKey,
  scheduled: ScheduledFunction,
): string {
  return `${prefix}-${deploymentName(deploymentKey)}-${scheduled}`;
}

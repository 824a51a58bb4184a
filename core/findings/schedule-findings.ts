import { type ScheduledFunction } from '../deployment/schedules';
import { type FindingDetails, type RuleContext } from './finding';

/** Whether a schedule starts its function. */
export interface ScheduleState {
  functionName: ScheduledFunction;
  /** Its name in EventBridge Scheduler. */
  name: string;
  state: 'enabled' | 'disabled' | 'missing';
}

/** The findings about a deployment's schedules. */
export function scheduleFindings(
  schedules: readonly ScheduleState[],
  { commands }: RuleContext,
): FindingDetails[] {
  return schedules.flatMap(({ functionName, name, state }): FindingDetails[] => {
    if (state === 'enabled') return [];
    const common = { severity: 'critical', schedule: functionName, meaning: MEANINGS[functionName] } as const;
    if (state === 'missing') {
      return [
        {
          ...common,
          kind: 'schedule_missing',
          message: `The schedule ${name} does not exist, so nothing starts ${functionName}.`,
          repair: { command: commands.revertDeployment() },
        },
      ];
    }
    return [
      {
        ...common,
        kind: 'schedule_disabled',
        message: `The schedule ${name} is disabled, so nothing starts ${functionName}.`,
        repair: {
          command: commands.fix(),
          fix: { action: 'enable_schedule', functionName, scheduleName: name },
        },
      },
    ];
  });
}

const MEANINGS: Readonly<Record<ScheduledFunction, string>> = {
  'token-sweep':
    'No sweep renews tokens: only those that callers ask for are renewed, and the others expire.',
  'credential-watch': 'Nobody is warned when a credential expires or must be replaced.',
  'credential-proof':
    'An API key that was written by hand, or by another system, does not open the restore API, and one that the platform revoked still does.',
};

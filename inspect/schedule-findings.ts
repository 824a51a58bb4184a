import { type ScheduledFunction } from '../contract/schedules';
import { type Found, type RuleContext } from './finding';

/** Whether a schedule starts its function. */
export interface ScheduleState {
  functionName: ScheduledFunction;
  /** As EventBridge Scheduler knows it. */
  name: string;
  state: 'enabled' | 'disabled' | 'missing';
}

/** What is to be said of a deployment's schedules: without them nothing happens by itself. */
export function scheduleFindings(schedules: readonly ScheduleState[], { commands }: RuleContext): Found[] {
  return schedules.flatMap(({ functionName, name, state }): Found[] => {
    if (state === 'enabled') return [];
    const found = { severity: 'critical', meaning: MEANINGS[functionName] } as const;
    if (state === 'missing') {
      return [
        {
          ...found,
          kind: 'schedule_missing',
          message: `There is no schedule ${name}, so nothing starts ${functionName}.`,
          repair: { command: commands.recreate() },
        },
      ];
    }
    return [
      {
        ...found,
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
  'token-sweep': 'No token is renewed any more: callers go on until theirs expires, and fail then.',
  'credential-watch': 'Nobody is warned before a credential ends, or that one has to be replaced.',
};

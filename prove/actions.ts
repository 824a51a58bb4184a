import { callerPolicy } from './policy';
import { type ProveActions } from './program';
import { clean, run } from './run';

/** What the program does. */
export const ACTIONS: ProveActions = { run, clean, policy: callerPolicy };

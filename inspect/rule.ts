import { type Finding } from './finding';
import { type RepairCommands } from './repair-commands';

/** What every rule is given, besides what it judges. */
export interface RuleContext {
  nowMs: number;
  commands: RepairCommands;
}

/** A finding that was not given its place yet. */
export type Found = Omit<Finding, 'place'>;

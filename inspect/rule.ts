import { type Finding } from './finding';
import { type FixCommands } from './fix-commands';

/** What every rule is given, besides what it judges. */
export interface RuleContext {
  nowMs: number;
  commands: FixCommands;
}

/** A finding that was not given its place yet. */
export type Found = Omit<Finding, 'place'>;

import { type System } from './system';
import { type Terminal } from './terminal';

/** What every command gets, besides its own options. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Opens the system that the flags name (`--local`, `--config`, `--profile`), once. @throws {CommandError} */
  readonly system: () => Promise<System>;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Waits. @throws {CommandError} when interrupted */
  readonly sleep: (ms: number) => Promise<void>;
}

/** The flags that name a tenant; each may be left out where only one fits. */
export interface TargetFlags {
  environment?: string;
  platformRegion?: string;
  tenant?: string;
}

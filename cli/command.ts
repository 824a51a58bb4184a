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

/** For a command that only starts another program. */
export interface ProgramRunner {
  /**
   * Runs a program that is built beside the command, until its end: it reads and writes for itself, and gets the signals
   * that this process gets. Resolves to its exit status.
   */
  readonly runProgram: (program: 'sandbox', args: readonly string[]) => Promise<number>;
}

/** The flags that name a tenant; each may be left out where only one fits. */
export interface TenantFlags {
  environment?: string;
  platformRegion?: string;
  tenant?: string;
}

/** What the host program is told, and tells, over its IPC channel. */

/** How a local run is to be. Paths are relative to the project root. */
export interface HostOptions {
  projectRoot: string;
  /** The sandbox, as a program for Node; absolute. */
  sandboxProgram: string;
  /** Where the run keeps its files; `.latchkey` by default. */
  stateDir?: string;
  /** `config/local.json` by default. */
  configFile?: string;
  /** Port of the AWS endpoint; 0, the default, for a free one. */
  port?: number;
  /** Port of the sandbox; 0, the default, for a free one. */
  sandboxPort?: number;
  /** Port of the console; 0 for a free one. Without, the run has no console. */
  consolePort?: number;
  /** A cloud assembly that is there already; nothing is synthesized then. */
  assemblyDir?: string;
}

export type ToHost = { type: 'start'; options: HostOptions } | { type: 'stop' };

export type FromHost =
  /** A step of the start-up is done and took this long. */
  | { type: 'step'; text: string; ms: number }
  | { type: 'log'; functionName: string; line: string }
  | { type: 'warning'; text: string }
  /** `local.json` is written: the run can be used. */
  | { type: 'up'; consoleUrl?: string }
  /** The run ends with exit status 1, for this reason. */
  | { type: 'failed'; message: string };

/** The messages between the host program and its parent, over IPC. */

/** Options of a local run. Paths are relative to the project root. */
export interface HostOptions {
  projectRoot: string;
  /** Folder of the app to synthesize; not needed with an assembly. */
  checkout?: string | undefined;
  /** Absolute path of the built app. @default `bin/app.ts`, which starts more slowly */
  appProgram?: string | undefined;
  /** Absolute path of the sandbox program. */
  sandboxProgram: string;
  /** Folder for the run's files; `.latchkey` by default. */
  stateDir?: string;
  /** `config/local.json` by default. */
  configFile?: string;
  /** Port of the AWS endpoint; 0, the default, picks a free one. */
  port?: number;
  /** Port of the sandbox; 0, the default, picks a free one. */
  sandboxPort?: number;
  /** Port of the console; 0 picks a free one. If absent, the run has no console. */
  consolePort?: number;
  /** A cloud assembly to run, with the sandbox's addresses, instead of synthesizing the app. */
  assemblyDir?: string;
}

export type ToHost = { type: 'start'; options: HostOptions } | { type: 'stop' };

export type FromHost =
  /** A start-up step has finished; `ms` is its duration. */
  | { type: 'step'; text: string; ms: number }
  | { type: 'log'; functionName: string; line: string }
  | { type: 'warning'; text: string }
  /** `local.json` is written, and the run is ready for use. */
  | { type: 'up'; consoleUrl?: string }
  /** The run exits with status 1 for this reason. */
  | { type: 'failed'; message: string };

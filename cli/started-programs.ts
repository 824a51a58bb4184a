import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** Runs programs that were built with the command, as child processes on this process's standard streams. */
export class StartedPrograms {
  readonly #folder: string;
  #latest: ChildProcess | undefined;

  /** @param folder where the programs are built */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Runs a program until it exits.
   * @returns its exit status; 1 if a signal ended it
   * @throws {Error} if the process cannot be started
   */
  run(program: string, args: readonly string[]): Promise<number> {
    const child = spawn(process.execPath, [join(this.#folder, `${program}.js`), ...args], {
      stdio: 'inherit',
      // Out of the terminal's process group, so that Ctrl-C reaches it once: by passOn.
      detached: true,
    });
    this.#latest = child;
    return new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (status) => resolve(status ?? 1));
    });
  }

  /**
   * Passes a signal on to the started program.
   * @returns whether one was ever started, even if it has exited: a late signal must not change the exit code
   */
  passOn(signal: NodeJS.Signals): boolean {
    this.#latest?.kill(signal);
    return this.#latest !== undefined;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** Runs programs that are built beside the command, in processes of their own on this process's standard streams. */
export class StartedPrograms {
  readonly #folder: string;
  #latest: ChildProcess | undefined;

  /** @param folder where the programs are built */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Runs one until its end.
   * @returns its exit status; 1 where a signal ended it
   * @throws {Error} when no process can be started
   */
  run(program: string, args: readonly string[]): Promise<number> {
    const child = spawn(process.execPath, [join(this.#folder, `${program}.js`), ...args], {
      stdio: 'inherit',
    });
    this.#latest = child;
    return new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (status) => resolve(status ?? 1));
    });
  }

  /**
   * Passes a signal on to what was started. Returns whether anything was: one more signal, when that has just ended, must
   * not change how.
   */
  passOn(signal: NodeJS.Signals): boolean {
    this.#latest?.kill(signal);
    return this.#latest !== undefined;
  }
}

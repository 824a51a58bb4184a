import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** Runs programs that are built beside the command, in processes of their own on this process's standard streams. */
export class StartedPrograms {
  readonly #folder: string;
  #running: ChildProcess | undefined;

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
    this.#running = child;
    return new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (status) => resolve(status ?? 1));
    }).finally(() => {
      this.#running = undefined;
    });
  }

  /** Passes a signal on to what is running. Returns whether anything is. */
  passOn(signal: NodeJS.Signals): boolean {
    return this.#running?.kill(signal) ?? false;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const NPM_CHECK_MS = 250;

/** Runs programs that were built with the command, as child processes on this process's standard streams. */
export class StartedPrograms {
  readonly #folder: string;
  #latest: ChildProcess | undefined;

  /** @param folder where the programs are built */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Runs a program until it exits. If npm started this process, the program gets SIGTERM once npm has ended.
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
    // Every package manager sets this variable for what it starts.
    if (process.env.npm_config_user_agent !== undefined) onceNpmHasEnded(() => child.kill('SIGTERM'));
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

/** npx passes no signal on to this process if it is killed, or if there is a shell between them. */
function onceNpmHasEnded(end: () => void): void {
  const atStart = parents();
  const timer = setInterval(() => {
    if (parents() === atStart) return;
    clearInterval(timer);
    end();
  }, NPM_CHECK_MS).unref();
}

/** The ids of the parent and, on Linux, of its parent: some shells stay between npm and what it starts, and outlive npm. */
function parents(): string {
  const { ppid } = process;
  try {
    return `${ppid} ${/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${ppid}/status`, 'utf8'))?.[1]}`;
  } catch {
    return String(ppid);
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const PROJECT_ROOT = join(__dirname, '../../..');

/** `npm start` as a process with its own state directory, so that several can run at once. */
export class LocalProcess {
  readonly stateDir: string;
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;
  private text = '';
  private readonly watchers = new Set<() => void>();
  private static readonly all = new Set<LocalProcess>();

  /**
   * Stops processes that failed tests left running, and removes their directories. Call after all tests of a
   * file.
   */
  static async disposeAll(): Promise<void> {
    for (const each of LocalProcess.all) {
      if (each.isRunning) await each.interrupt();
      rmSync(each.stateDir, { recursive: true, force: true });
    }
    LocalProcess.all.clear();
  }

  /** @param env more environment variables */
  constructor(args: string[], env: Record<string, string> = {}) {
    LocalProcess.all.add(this);
    this.stateDir = mkdtempSync(join(tmpdir(), 'latchkey-journey-'));
    this.child = spawn(process.execPath, ['bin/start.cjs', '--state-dir', this.stateDir, ...args], {
      cwd: PROJECT_ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        this.text += chunk;
        for (const watch of this.watchers) watch();
      });
    }
    this.exited = new Promise((resolve) =>
      this.child.once('close', (code) => {
        for (const watch of this.watchers) watch();
        resolve(code);
      }),
    );
  }

  private get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Everything printed so far. */
  get output(): string {
    return this.text;
  }

  /** Resolves with the match once the output contains it; rejects if the process ends first. */
  async printed(pattern: RegExp): Promise<RegExpMatchArray> {
    return new Promise((resolve, reject) => {
      const watch = () => {
        const match = pattern.exec(this.text);
        if (match !== null) resolve(match);
        else if (this.isRunning) return;
        else reject(new Error(`ended without printing ${pattern}:\n${this.text}`));
        this.watchers.delete(watch);
      };
      this.watchers.add(watch);
      watch();
    });
  }

  /** Stops it as Ctrl-C does, and resolves with the exit code. */
  async interrupt(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.exited;
  }
}

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

interface ProgramOptions {
  arguments?: readonly string[];
  /** All of its environment but PATH and HOME. */
  environment?: Record<string, string>;
}

/**
 * A program of `programs/` in a process of its own. It runs in plain Node, as at its users', since the transpiler that
 * runs this code would wrap every function; it takes a message, and answers each with one.
 */
export class Program {
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private answered: { resolve: (answer: unknown) => void; reject: (error: Error) => void } | undefined;

  constructor(file: string, options: ProgramOptions = {}) {
    const { PATH = '', HOME = '' } = process.env;
    this.child = fork(join(__dirname, 'programs', file), [...(options.arguments ?? [])], {
      execArgv: [],
      env: { PATH, HOME, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true', ...options.environment },
      // The functions' logs go to both; who looks on wants the tables.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let lastWords = '';
    this.child.stderr!.on('data', (chunk: Buffer) => {
      lastWords = `${lastWords}${chunk.toString('utf8')}`.slice(-2_000);
    });
    this.child.on('message', (message) => this.answered?.resolve(message));
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        const how = signal ?? `exit ${code}`;
        this.answered?.reject(new Error(`programs/${file} ended early (${how})\n${lastWords}`));
        resolve();
      });
    });
  }

  /** Sends a message and gives what is answered to it. @throws {Error} if the program ends instead */
  ask<Answer>(message: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.answered = { resolve: resolve as (answer: unknown) => void, reject };
      if (!this.child.connected) reject(new Error(`the program is gone`));
      else this.child.send(message);
    });
  }

  /** Ends the process, whatever it is at. */
  async stop(): Promise<void> {
    this.answered = undefined;
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

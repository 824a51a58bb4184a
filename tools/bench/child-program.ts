import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

interface ProgramOptions {
  arguments?: readonly string[];
  /** The environment, besides PATH and HOME. */
  environment?: Record<string, string>;
  /** Path of the Node to run it with. @default the current one */
  node?: string;
}

/**
 * A program of `programs/` in its own process. It runs in plain Node, because the transpiler that runs this file would
 * wrap every function. It answers each message with one message.
 */
export class Program {
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private answered: { resolve: (answer: unknown) => void; reject: (error: Error) => void } | undefined;

  constructor(file: string, options: ProgramOptions = {}) {
    const { PATH = '', HOME = '' } = process.env;
    this.child = fork(join(__dirname, 'programs', file), [...(options.arguments ?? [])], {
      execArgv: [],
      execPath: options.node ?? process.execPath,
      env: { PATH, HOME, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true', ...options.environment },
      // The functions log to both streams, which would bury the tables.
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

  /** Sends a message and returns the answer. @throws {Error} if the program exits instead */
  ask<Answer>(message: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.answered = { resolve: resolve as (answer: unknown) => void, reject };
      if (!this.child.connected) reject(new Error('the program has exited'));
      else this.child.send(message);
    });
  }

  /** Kills the process. */
  async stop(): Promise<void> {
    this.answered = undefined;
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

import { type Account } from '../../local/account';
import { type FunctionInvoker, type InvocationResult } from '../../local/interfaces';

interface Ended {
  id: number;
  answer?: unknown;
  error?: object;
}

/** Runs the functions of an account in one other process, with up to four instances of each. */
export class FunctionInstances implements FunctionInvoker {
  /** Of all functions, besides their own. */
  environment: Record<string, string> = {};
  readonly #account: Account;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (ended: Ended) => void>();
  #lastId = 0;

  /** @param environment of the process */
  constructor(account: Account, environment: Record<string, string>) {
    this.#account = account;
    const { PATH = '', HOME = '' } = process.env;
    this.#child = fork(join(__dirname, 'programs/functions.mjs'), [], {
      execArgv: [],
      env: { PATH, HOME, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true', ...environment },
      // The functions log to both streams, which would bury the tables.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (ended: Ended) => this.#waiting.get(ended.id)?.(ended));
    this.#child.once('exit', () => {
      for (const [id, resolve] of this.#waiting) resolve({ id, error: { errorType: 'Runtime.ExitError' } });
    });
  }

  async invoke(functionArn: string, payload: Buffer): Promise<InvocationResult> {
    const { id, answer, error } = await this.#ask(functionArn, JSON.parse(payload.toString('utf8')));
    const common = { logTail: '', requestId: String(id) };
    if (error === undefined) return { kind: 'ok', payload: Buffer.from(JSON.stringify(answer)), ...common };
    const document = Buffer.from(JSON.stringify(error));
    return { kind: 'function-error', functionError: 'Unhandled', payload: document, ...common };
  }

  invokeAsync(): never {
    throw new Error('nothing here is invoked asynchronously');
  }

  /** Ends a function's idle instances. */
  async remove(functionArn: string): Promise<void> {
    await this.#ask(functionArn, undefined);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }

  async #ask(functionArn: string, event: unknown): Promise<Ended> {
    const { codeDir, handler, environment, timeoutSec } = this.#account.functions.get(functionArn)!;
    const id = (this.#lastId += 1);
    const ended = new Promise<Ended>((resolve) => this.#waiting.set(id, resolve));
    this.#child.send({
      ...{ id, codeDir, handler, event, timeoutMs: timeoutSec * 1_000 },
      environment: { ...this.environment, ...environment },
    });
    try {
      return await ended;
    } finally {
      this.#waiting.delete(id);
    }
  }
}

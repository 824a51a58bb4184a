import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type Context } from 'aws-lambda';

import { type Account, type FunctionInvoker, type InvocationResult } from 'cdk-on-loopback/testing';

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** Runs the bundles of an account's functions in this process, each loaded once. */
export class InProcessFunctions implements FunctionInvoker {
  /** Remaining time in the context of an invocation, in ms. */
  remainingMs = 28_000;
  /** Errors that ended invocations: in this project, always a bug or a 401. */
  readonly failures: Error[] = [];
  readonly #account: Account;
  readonly #handlers = new Map<string, Handler>();

  constructor(account: Account) {
    this.#account = account;
  }

  /**
   * Loads functions anew, with empty caches.
   * @param named part of their names
   * @default all functions
   */
  startNewProcesses(named = ''): void {
    for (const [arn, { name }] of this.#account.functions)
      if (name.includes(named)) this.#handlers.delete(arn);
  }

  async invoke(functionArn: string, payload: Buffer): Promise<InvocationResult> {
    const fn = this.#account.functions.get(functionArn)!;
    const startedMs = performance.now();
    const context = {
      awsRequestId: 'invocation-1',
      functionName: fn.name,
      getRemainingTimeInMillis: () => this.remainingMs - (performance.now() - startedMs),
    } as Context;
    const common = { logTail: '', requestId: 'invocation-1' };
    try {
      const answer = await this.#handlerOf(functionArn)(JSON.parse(payload.toString()), context);
      return { kind: 'ok', payload: Buffer.from(JSON.stringify(answer) ?? 'null'), ...common };
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(inspect(thrown));
      this.failures.push(error);
      const document = { errorType: error.name, errorMessage: error.message };
      const payloadOfError = Buffer.from(JSON.stringify(document));
      return { kind: 'function-error', functionError: 'Unhandled', payload: payloadOfError, ...common };
    }
  }

  invokeAsync(): never {
    throw new Error('nothing here is invoked asynchronously');
  }

  async remove(): Promise<void> {}

  #handlerOf(functionArn: string): Handler {
    const known = this.#handlers.get(functionArn);
    if (known !== undefined) return known;
    const { codeDir, handler: handlerName, environment } = this.#account.functions.get(functionArn)!;
    Object.assign(process.env, environment);
    const file = join(codeDir, `${handlerName.replace(/\.handler$/, '')}.js`);
    // Its modules have a state of their own.
    jest.isolateModules(() => {
      const { handler } = createRequire(__filename)(file) as { handler: Handler };
      this.#handlers.set(functionArn, handler);
    });
    return this.#handlers.get(functionArn)!;
  }
}

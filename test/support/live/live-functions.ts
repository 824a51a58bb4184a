import { randomUUID } from 'node:crypto';
import { type Context } from 'aws-lambda';

import { KillPoints } from '../kill-points';
import {
  type Account,
  assumeAsService,
  AsyncEvents,
  type CloudWatch,
  type FunctionInvoker,
  invocationMetrics,
  type InvocationResult,
  type LambdaFunction,
  LocalQueueSender,
  type RunClock,
} from 'cdk-on-loopback/testing';
import { type Outside } from './token-process';
import { serviceException } from '../aws/simulated-secrets-manager';
import { type Program } from './programs';

/** The call at which a process is killed, after its first ones. */
const KILLED_AT = 4;

export type Watched = (outside: Outside) => Outside;

interface LiveFunctionsOptions {
  account: Account;
  clock: RunClock;
  cloudWatch: CloudWatch;
  start: (functionArn: string, watched: Watched) => Program;
}

/**
 * The templates' functions, run in this process with their reserved concurrency, retries, destinations and
 * Lambda metrics. Each function has one process, which is reused until the function is updated.
 */
export class LiveFunctions implements FunctionInvoker {
  /** Number of next invocations to kill, by ARN. */
  readonly kills = new Map<string, number>();
  /** Kill points by ARN. With them, each invocation has a process of its own, which dies at once after a kill. */
  readonly points = new Map<string, KillPoints>();
  readonly #options: LiveFunctionsOptions;
  readonly #events: AsyncEvents;
  readonly #warm = new Map<string, { fn: LambdaFunction; handle: Program }>();
  readonly #running = new Map<string, number>();

  constructor(options: LiveFunctionsOptions) {
    this.#options = options;
    const { account, clock } = options;
    this.#events = new AsyncEvents({
      clock,
      run: (fn, payload) => this.#run(fn, payload),
      current: ({ arn }) => account.functions.get(arn),
      discarded: (fn, record) => this.#leaveBehind(fn, record),
    });
  }

  async invoke(functionArn: string, payload: Buffer): Promise<InvocationResult> {
    return this.#run(this.#find(functionArn), payload);
  }

  invokeAsync(functionArn: string, payload: Buffer): { requestId: string } {
    return this.#events.enqueue(this.#find(functionArn), payload);
  }

  async remove(): Promise<void> {
    throw new Error('no function is removed');
  }

  /** Replaces every process, as Lambda does now and then. */
  startNewProcesses(): void {
    this.#warm.clear();
  }

  #find(functionArn: string): LambdaFunction {
    const fn = this.#options.account.functions.get(functionArn);
    if (!fn) throw serviceException('ResourceNotFoundException', `Function not found: ${functionArn}`);
    return fn;
  }

  async #run(fn: LambdaFunction, payload: Buffer): Promise<InvocationResult> {
    const { clock, cloudWatch } = this.#options;
    const startedAtMs = clock.nowMs();
    const result = await this.#attempt(fn, payload);
    const durationMs = clock.nowMs() - startedAtMs;
    cloudWatch.put(invocationMetrics({ functionName: fn.name, startedAtMs, result, durationMs }));
    return result;
  }

  async #attempt(fn: LambdaFunction, payload: Buffer): Promise<InvocationResult> {
    const running = this.#running.get(fn.arn) ?? 0;
    if (running >= (fn.reservedConcurrency ?? Infinity)) {
      return { kind: 'throttled', reason: 'ReservedFunctionConcurrentInvocationLimitExceeded' };
    }
    this.#running.set(fn.arn, running + 1);
    const told = { logTail: '', requestId: randomUUID() };
    try {
      const answer = await this.#handle(fn, JSON.parse(payload.toString()) as object);
      return { kind: 'ok', payload: Buffer.from(JSON.stringify(answer ?? null)), ...told };
    } catch (error) {
      const { name: errorType, message: errorMessage } = error as Error;
      const document = Buffer.from(JSON.stringify({ errorType, errorMessage }));
      return { kind: 'function-error', functionError: 'Unhandled', payload: document, ...told };
    } finally {
      this.#running.set(fn.arn, this.#running.get(fn.arn)! - 1);
    }
  }

  async #handle(fn: LambdaFunction, event: object): Promise<unknown> {
    const { clock, start } = this.#options;
    const endsAtMs = clock.nowMs() + fn.timeoutSec * 1000;
    const getRemainingTimeInMillis = () => endsAtMs - clock.nowMs();
    const context = { awsRequestId: 'invocation-1', getRemainingTimeInMillis } as Context;
    const points = this.#pointsOf(fn);
    if (points !== undefined) {
      const handle = start(fn.arn, (outside) => points.watch(outside, 'send', 'sendRequest'));
      const died = points.killed.then(() => {
        throw new Error('the process has died');
      });
      return Promise.race([died, handle(event, context)]);
    }
    const warm = this.#warm.get(fn.arn);
    const running = warm?.fn === fn ? warm : { fn, handle: start(fn.arn, (outside) => outside) };
    this.#warm.set(fn.arn, running);
    return running.handle(event, context);
  }

  #pointsOf({ arn }: LambdaFunction): KillPoints | undefined {
    const kills = this.kills.get(arn) ?? 0;
    if (kills === 0) return this.points.get(arn);
    this.kills.set(arn, kills - 1);
    this.#warm.delete(arn);
    return new KillPoints(KILLED_AT);
  }

  #leaveBehind(fn: LambdaFunction, record: Buffer): void {
    const { account, clock } = this.#options;
    const role = assumeAsService(account, fn.roleArn, fn.name, {
      service: 'lambda.amazonaws.com',
      sourceArn: fn.arn,
    });
    new LocalQueueSender(account, clock).send(role, fn.asyncInvoke.onFailureArn!, record.toString());
  }
}

import { randomUUID } from 'node:crypto';
import { type Account, type LambdaFunction } from '../account';
import { resourceNotFound } from '../aws/aws-error';
import { type RunClock, startRealTimer, type StartTimer } from '../run-clock';
import { type EndedInvocation } from '../cloudwatch/vended-metrics';
import {
  type FunctionInvoker,
  type InvocationOptions,
  type InvocationResult,
  type QueueSender,
  type Reporter,
} from '../interfaces';
import { type RolePrincipal } from '../iam/principal';
import { assumeAsService } from '../service-roles';
import { AsyncEvents } from './async-events';
import { EnvironmentProcess, type ProcessOutcome } from './environment-process';
import { Environments } from './environments';
import { errorDocument, readErrorDocument } from './error-document';
import { FunctionLog, type WriteLogs } from './function-log';
import { lambdaEnvironment, type RunAddresses, type SessionKeys } from './lambda-environment';
import { type Invocation } from './runtime-api';
import { functionTraceHeader } from './trace-header';

export interface InvokerOptions {
  account: Account;
  clock: RunClock;
  reporter: Reporter;
  /** Issues keys for a session of 12 hours on the run's clock. */
  issueKeys: (session: RolePrincipal) => SessionKeys;
  queueSender: QueueSender;
  writeLogs: WriteLogs;
  /** Called at each cold start. */
  addresses: () => RunAddresses;
  startTimer?: StartTimer;
  /** Called for each invocation that ended or was refused. */
  onInvocation?: (ended: EndedInvocation) => void;
}

type Outcome = Pick<EndedInvocation, 'result' | 'durationMs'>;
/** What a caller sent, with Lambda's ids. */
type Sent = Pick<Invocation, 'requestId' | 'payload' | 'traceHeader'>;

/** Runs the account's functions in their own processes, with the template's environment and role. */
export class LocalInvoker implements FunctionInvoker {
  private readonly options: InvokerOptions;
  private readonly environments: Environments;
  private readonly events: AsyncEvents;
  private readonly logs = new WeakMap<EnvironmentProcess, FunctionLog>();
  private readonly running = new Map<string, number>();

  constructor(options: InvokerOptions) {
    const { account, clock } = options;
    this.options = options;
    this.environments = new Environments(clock, (fn) => this.start(fn));
    this.events = new AsyncEvents({
      clock,
      run: (fn, payload, requestId, options) => this.run(fn, payload, requestId, options),
      current: ({ arn }) => account.functions.get(arn),
      discarded: (fn, record) => this.sendToDestination(fn, record),
    });
  }

  /** @throws {AwsError} ResourceNotFoundException */
  async invoke(
    functionArn: string,
    payload: Buffer,
    options: InvocationOptions = {},
  ): Promise<InvocationResult> {
    return this.run(this.find(functionArn), payload, randomUUID(), options);
  }

  /** @throws {AwsError} ResourceNotFoundException */
  invokeAsync(functionArn: string, payload: Buffer, options: InvocationOptions = {}): { requestId: string } {
    return this.events.enqueue(this.find(functionArn), payload, options);
  }

  remove(functionArn: string): Promise<void> {
    return this.environments.end(functionArn);
  }

  /** Kills every process, even during an event, and drops waiting events. */
  async close(): Promise<void> {
    this.events.close();
    await this.environments.close();
  }

  private find(functionArn: string): LambdaFunction {
    const fn = this.options.account.functions.get(functionArn);
    if (!fn) throw resourceNotFound(`Function not found: ${functionArn}`);
    return fn;
  }

  private async run(
    fn: LambdaFunction,
    payload: Buffer,
    requestId: string,
    { traceHeader }: InvocationOptions,
  ): Promise<InvocationResult> {
    const startedAtMs = this.options.clock.nowMs();
    const sent = { requestId, payload, traceHeader: functionTraceHeader(traceHeader, startedAtMs) };
    const ended = await this.runUnlessThrottled(fn, sent);
    this.options.onInvocation?.({ functionName: fn.name, startedAtMs, ...ended });
    return ended.result;
  }

  private async runUnlessThrottled(fn: LambdaFunction, sent: Sent): Promise<Outcome> {
    const { requestId } = sent;
    const count = this.running.get(fn.arn) ?? 0;
    if (count >= (fn.reservedConcurrency ?? Infinity)) {
      return { result: { kind: 'throttled', reason: 'ReservedFunctionConcurrentInvocationLimitExceeded' } };
    }
    this.running.set(fn.arn, count + 1);
    try {
      return await this.runIn(await this.environments.acquire(fn), sent);
    } catch (error) {
      const { name, message } = error as Error;
      this.options.reporter.warning(`${fn.name} cannot be started: ${message}`);
      return {
        result: {
          kind: 'function-error',
          functionError: 'Unhandled',
          payload: errorDocument(name, message),
          logTail: '',
          requestId,
        },
      };
    } finally {
      this.running.set(fn.arn, (this.running.get(fn.arn) ?? 1) - 1);
    }
  }

  private async runIn(environment: EnvironmentProcess, sent: Sent): Promise<Outcome> {
    const { fn } = environment;
    const { requestId } = sent;
    const { clock } = this.options;
    const log = this.logs.get(environment)!;
    const startedMs = performance.now();
    log.add(`START RequestId: ${requestId} Version: $LATEST`);
    try {
      const invocation = { ...sent, functionArn: fn.arn, offsetMs: clock.offsetMs() };
      const outcome = await environment.invoke(invocation, () => clock.nowMs());
      const durationMs = performance.now() - startedMs;
      this.logEnd(log, fn, requestId, outcome, durationMs);
      const reported = { payload: outcome.payload, logTail: log.tail(), requestId };
      const result: InvocationResult =
        outcome.kind === 'response'
          ? { kind: 'ok', ...reported }
          : { kind: 'function-error', functionError: 'Unhandled', ...reported };
      return { result, durationMs };
    } finally {
      await this.environments.release(environment);
    }
  }

  private logEnd(
    log: FunctionLog,
    fn: LambdaFunction,
    requestId: string,
    outcome: ProcessOutcome,
    durationMs: number,
  ): void {
    if (outcome.kind === 'error') {
      const { errorType, errorMessage } = readErrorDocument(outcome.payload);
      if (outcome.isInit) {
        this.options.reporter.warning(
          `${fn.name} cannot load ${fn.handler} from ${fn.codeDir}: ${errorType}: ${errorMessage}`,
        );
      }
      if (errorType === 'Sandbox.Timedout' || errorType === 'Runtime.ExitError') log.add(`${errorMessage}`);
    }
    log.add(`END RequestId: ${requestId}`);
    log.add(
      `REPORT RequestId: ${requestId}\tDuration: ${durationMs.toFixed(2)} ms\t` +
        `Billed Duration: ${Math.ceil(durationMs)} ms\tMemory Size: ${fn.memoryMb} MB`,
    );
  }

  /** Performs a cold start. @throws {AwsError} if Lambda may not assume the function's role */
  private async start(fn: LambdaFunction): Promise<EnvironmentProcess> {
    const {
      account,
      clock,
      reporter,
      writeLogs,
      issueKeys,
      addresses,
      startTimer = startRealTimer,
    } = this.options;
    const session = this.sessionOf(fn);
    const log = new FunctionLog(fn, clock, reporter, (events) =>
      writeLogs(account, session, fn.logGroupName, events),
    );
    const environment = await EnvironmentProcess.start({
      fn,
      environment: (runtimeApi) => lambdaEnvironment(fn, issueKeys(session), addresses(), runtimeApi),
      offsetMs: clock.offsetMs(),
      apiOrigin: addresses().apiOrigin,
      onLine: (line) => log.addPrinted(line),
      startTimer,
    });
    this.logs.set(environment, log);
    return environment;
  }

  private sessionOf({ arn, name, roleArn }: LambdaFunction): RolePrincipal {
    return assumeAsService(this.options.account, roleArn, name, {
      service: 'lambda.amazonaws.com',
      sourceArn: arn,
    });
  }

  private sendToDestination(fn: LambdaFunction, record: Buffer): void {
    const { reporter, queueSender } = this.options;
    const queueArn = fn.asyncInvoke.onFailureArn;
    if (queueArn === undefined) {
      reporter.warning(`discarded an event of ${fn.name}, which has no on-failure destination`);
      return;
    }
    try {
      queueSender.send(this.sessionOf(fn), queueArn, record.toString());
      reporter.warning(`sent a discarded event of ${fn.name} to ${queueArn}`);
    } catch (error) {
      reporter.warning(`lost an event of ${fn.name}: ${(error as Error).message}`);
    }
  }
}

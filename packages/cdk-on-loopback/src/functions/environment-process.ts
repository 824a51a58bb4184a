import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type LambdaFunction } from '../account';
import { type StartTimer } from '../run-clock';
import { runtimeExited, timedOut } from './error-document';
import { ProcessLines } from './process-lines';
import { type Invocation, RuntimeApi, type RuntimeAnswer } from './runtime-api';

// A build must copy it beside the built file.
const BOOTSTRAP = join(__dirname, 'bootstrap.cjs');

/** Lambda stops an initialization after this time, and repeats it within the first invocation. */
const INIT_LIMIT_SEC = 10;

interface EnvironmentProcessOptions {
  fn: LambdaFunction;
  /** The environment variables of the process, given the address of its Runtime API. */
  environment(runtimeApi: string): Record<string, string>;
  /** How far the run's clock is ahead of real time. */
  offsetMs: number;
  /** Origin of the run's API Gateway; undefined if there is none. */
  apiOrigin?: string | undefined;
  onLine(line: string): void;
  startTimer: StartTimer;
}

/** The outcome of an invocation in this process. */
export type ProcessOutcome =
  { kind: 'response'; payload: Buffer } | { kind: 'error'; payload: Buffer; isInit?: boolean };

interface Exit {
  kind: 'exit';
  code: number | null;
  signal: NodeJS.Signals | null;
}
interface Timeout {
  kind: 'timeout';
}

/** A Lambda execution environment: one Node process that handles one event at a time. */
export class EnvironmentProcess {
  readonly fn: LambdaFunction;
  private readonly options: EnvironmentProcessOptions;
  private readonly child: ChildProcess;
  private readonly api: RuntimeApi;
  private readonly lines: ProcessLines;
  /** The process's first message: it is ready, or why it cannot start. */
  private readonly initialized: Promise<RuntimeAnswer>;
  private readonly exited: Promise<Exit>;
  private hasEnded = false;

  /** Starts the process, which then loads its bundle in the background. */
  static async start(options: EnvironmentProcessOptions): Promise<EnvironmentProcess> {
    const api = new RuntimeApi(`/${randomUUID()}`);
    return new EnvironmentProcess(options, api, await api.listen());
  }

  private constructor(options: EnvironmentProcessOptions, api: RuntimeApi, address: string) {
    this.options = options;
    this.fn = options.fn;
    this.api = api;
    this.child = spawn(
      process.execPath,
      [
        `--max-old-space-size=${this.fn.memoryMb}`,
        BOOTSTRAP,
        String(options.offsetMs),
        ...(options.apiOrigin === undefined ? [] : [options.apiOrigin]),
      ],
      { cwd: this.fn.codeDir, env: options.environment(address), stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    );
    this.lines = new ProcessLines([this.child.stdout!, this.child.stderr!], (line) => options.onLine(line));
    this.initialized = this.nextAnswer();
    this.exited = new Promise((resolve) => {
      // `close` comes after the last line has been read; `exit` may come earlier.
      this.child.once('close', (code, signal) => resolve({ kind: 'exit', code, signal }));
      this.child.once('error', () => resolve({ kind: 'exit', code: 1, signal: null }));
    });
    void this.exited.then(() => {
      this.hasEnded = true;
      this.api.close();
    });
  }

  /** Whether it can handle another event. */
  get isAlive(): boolean {
    return !this.hasEnded;
  }

  /**
   * Handles one event and waits for the lines it printed. Any failure becomes Lambda's error document.
   * @param nowMs the time on the run's clock
   */
  async invoke(invocation: Omit<Invocation, 'deadlineMs'>, nowMs: () => number): Promise<ProcessOutcome> {
    const { fn } = this;
    const { requestId } = invocation;
    const first = await this.within(INIT_LIMIT_SEC + fn.timeoutSec, this.initialized);
    if (first.kind !== 'ready') return this.outcomeOf(first, requestId);
    const answer = this.nextAnswer(
      (candidate) => 'requestId' in candidate && candidate.requestId === requestId,
    );
    this.api.deliver({ ...invocation, deadlineMs: nowMs() + fn.timeoutSec * 1000 });
    return this.outcomeOf(await this.within(fn.timeoutSec, answer), requestId);
  }

  /** Kills the process and waits for it to exit. */
  async end(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  private nextAnswer(wanted: (answer: RuntimeAnswer) => boolean = () => true): Promise<RuntimeAnswer> {
    return new Promise((resolve) => {
      this.api.onAnswer = (answer) => (wanted(answer) ? resolve(answer) : undefined);
    });
  }

  private async within(
    limitSec: number,
    answer: Promise<RuntimeAnswer>,
  ): Promise<RuntimeAnswer | Exit | Timeout> {
    let stop: () => void = () => undefined;
    const timeout = new Promise<Timeout>((resolve) => {
      stop = this.options.startTimer(() => resolve({ kind: 'timeout' }), limitSec * 1000);
    });
    const first = await Promise.race([answer, this.exited, timeout]);
    stop();
    return first;
  }

  private async outcomeOf(end: RuntimeAnswer | Exit | Timeout, requestId: string): Promise<ProcessOutcome> {
    switch (end.kind) {
      case 'response':
        await Promise.race([this.lines.allOf(requestId), this.exited]);
        return { kind: 'response', payload: end.payload };
      case 'error':
        // After an uncaught exception the process exits, and must not get another event before.
        await Promise.race([Promise.all([this.lines.allOf(requestId), this.api.nextRequest()]), this.exited]);
        return { kind: 'error', payload: end.payload };
      case 'init-error':
        await this.exited;
        return { kind: 'error', payload: end.payload, isInit: true };
      case 'timeout':
        await this.end();
        return { kind: 'error', payload: timedOut(requestId, this.fn) };
      case 'exit':
        return { kind: 'error', payload: runtimeExited(requestId, end.code, end.signal) };
      case 'ready':
        throw new TypeError('a process that asks for an event has answered none');
    }
  }
}

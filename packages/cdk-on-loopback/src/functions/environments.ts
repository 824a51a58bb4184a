import { type LambdaFunction } from '../account';
import { type ClockTimer, type RunClock } from '../run-clock';
import { type EnvironmentProcess } from './environment-process';

/** At this many busy processes, an event without a warm process waits. */
const MAX_BUSY = 8;
/** Each process takes about 70 MiB. Idle ones make room for busy ones. */
const MAX_PROCESSES = 20;
/** If no process becomes free for this long, one more starts, because the busy ones may be waiting for it. */
const PATIENCE_MS = 1000;
/** How long an idle process is kept. */
const IDLE_MS = 10 * 60 * 1000;
/** The maximum age of a process. Its keys are valid for 12 hours, so they cannot expire during an event. */
const MAX_AGE_MS = 6 * 60 * 60 * 1000;

type StartProcess = (fn: LambdaFunction) => Promise<EnvironmentProcess>;

interface Idle {
  environment: EnvironmentProcess;
  timer: ClockTimer;
}

interface Waiter {
  fn: LambdaFunction;
  go: (environment: EnvironmentProcess | undefined) => void;
}

/** The processes of all functions. Warm ones are reused, one event at a time. */
export class Environments {
  private readonly clock: RunClock;
  private readonly startProcess: StartProcess;
  private readonly bornAtMs = new WeakMap<EnvironmentProcess, number>();
  private readonly all = new Set<EnvironmentProcess>();
  /** Oldest first. */
  private idle: Idle[] = [];
  private readonly waiters: Waiter[] = [];
  private busy = 0;
  private patience: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(clock: RunClock, startProcess: StartProcess) {
    this.clock = clock;
    this.startProcess = startProcess;
  }

  /** Returns a process for one event, warm if possible. The caller must release it. */
  async acquire(fn: LambdaFunction): Promise<EnvironmentProcess> {
    const warm = await this.takeSlot(fn);
    if (warm) return warm;
    try {
      return await this.start(fn);
    } catch (error) {
      this.freeSlot();
      throw error;
    }
  }

  /** Takes a process back. One that has exited or is too old is not reused. */
  async release(environment: EnvironmentProcess): Promise<void> {
    const ageMs = this.clock.nowMs() - (this.bornAtMs.get(environment) ?? 0);
    if (!environment.isAlive || ageMs > MAX_AGE_MS || this.isClosed) {
      await this.discard(environment);
    } else {
      const timer = this.clock.at(this.clock.nowMs() + IDLE_MS, () => this.discard(environment));
      this.idle.push({ environment, timer });
    }
    this.freeSlot();
    this.makeRoom();
  }

  /** Kills all processes of a function, or of all functions. */
  async end(functionArn?: string): Promise<void> {
    const doomed = [...this.all].filter(({ fn }) => functionArn === undefined || fn.arn === functionArn);
    await Promise.all(doomed.map((environment) => this.discard(environment)));
  }

  /** Kills all processes and prevents new ones. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.patience);
    await this.end();
  }

  /** Waits for a free slot. Returns a warm process if there is one. */
  private takeSlot(fn: LambdaFunction): Promise<EnvironmentProcess | undefined> {
    const warm = this.takeIdle(fn);
    if (!warm && this.busy >= MAX_BUSY) return this.wait(fn);
    this.busy += 1;
    return Promise.resolve(warm);
  }

  private async start(fn: LambdaFunction): Promise<EnvironmentProcess> {
    this.makeRoom();
    const environment = await this.startProcess(fn);
    this.bornAtMs.set(environment, this.clock.nowMs());
    this.all.add(environment);
    if (this.isClosed) await environment.end();
    return environment;
  }

  private makeRoom(): void {
    while (this.idle.length > 0 && this.busy + this.idle.length > MAX_PROCESSES) {
      void this.discard(this.idle[0]!.environment);
    }
  }

  private takeIdle(fn: LambdaFunction): EnvironmentProcess | undefined {
    const warm = this.idle.findLast(({ environment }) => environment.fn === fn && environment.isAlive);
    if (!warm) return undefined;
    this.forgetIdle(warm.environment);
    return warm.environment;
  }

  private forgetIdle(environment: EnvironmentProcess): void {
    this.idle.find((entry) => entry.environment === environment)?.timer.cancel();
    this.idle = this.idle.filter((entry) => entry.environment !== environment);
  }

  private async discard(environment: EnvironmentProcess): Promise<void> {
    this.forgetIdle(environment);
    this.all.delete(environment);
    await environment.end();
  }

  private wait(fn: LambdaFunction): Promise<EnvironmentProcess | undefined> {
    return new Promise((go) => {
      this.waiters.push({ fn, go });
      this.patience ??= setTimeout(() => this.admit(), PATIENCE_MS);
    });
  }

  private freeSlot(): void {
    this.busy -= 1;
    this.admit();
  }

  /** Lets the first waiter with a warm process go on, else the first in line. */
  private admit(): void {
    clearTimeout(this.patience);
    this.patience = undefined;
    const warmFor = this.waiters.findIndex(({ fn }) =>
      this.idle.some(({ environment }) => environment.fn === fn),
    );
    const [waiter] = this.waiters.splice(Math.max(warmFor, 0), 1);
    if (waiter) {
      this.busy += 1;
      waiter.go(this.takeIdle(waiter.fn));
    }
    if (this.waiters.length > 0) this.patience = setTimeout(() => this.admit(), PATIENCE_MS);
  }
}

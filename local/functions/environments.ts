import { type LambdaFunction } from '../account';
import { type ClockTimer, type RunClock } from '../run-clock';
import { type EnvironmentProcess } from './environment-process';

/** With so many at work, an event for which no process is warm waits. */
const MAX_BUSY = 8;
/** Processes in all, each about 70 MiB: what is idle ends where those at work take its room. */
const MAX_PROCESSES = 14;
/** When nothing came free for this long, one more starts after all: those at work may be waiting for it. */
const PATIENCE_MS = 1000;
/** An idle process ends after this time. */
const IDLE_MS = 10 * 60 * 1000;
/** A process is used no longer than this, so that its keys, good for 12 hours, never end within it. */
const MAX_AGE_MS = 6 * 60 * 60 * 1000;

/** Starts a process for a function. */
type StartProcess = (fn: LambdaFunction) => Promise<EnvironmentProcess>;

interface Idle {
  environment: EnvironmentProcess;
  timer: ClockTimer;
}

interface Waiter {
  fn: LambdaFunction;
  go: (environment: EnvironmentProcess | undefined) => void;
}

/** The processes of all functions: warm ones are used again, one event at a time. */
export class Environments {
  private readonly clock: RunClock;
  private readonly start: StartProcess;
  private readonly bornAtMs = new WeakMap<EnvironmentProcess, number>();
  private readonly all = new Set<EnvironmentProcess>();
  /** Oldest first. */
  private idle: Idle[] = [];
  private readonly waiters: Waiter[] = [];
  private busy = 0;
  private patience: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(clock: RunClock, start: StartProcess) {
    this.clock = clock;
    this.start = start;
  }

  /** A process for one event: a warm one if there is any. It must be released. */
  async acquire(fn: LambdaFunction): Promise<EnvironmentProcess> {
    const warm = await this.takeSlot(fn);
    if (warm) return warm;
    try {
      return await this.begin(fn);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** Gives a process back; one that has ended, or is too old, is not used again. */
  async release(environment: EnvironmentProcess): Promise<void> {
    const ageMs = this.clock.nowMs() - (this.bornAtMs.get(environment) ?? 0);
    if (!environment.isAlive || ageMs > MAX_AGE_MS || this.isClosed) {
      await this.discard(environment);
    } else {
      const timer = this.clock.at(this.clock.nowMs() + IDLE_MS, () => this.discard(environment));
      this.idle.push({ environment, timer });
    }
    this.free();
    this.makeRoom();
  }

  /** Kills all processes of a function, or all there are. */
  async end(functionArn?: string): Promise<void> {
    const doomed = [...this.all].filter(({ fn }) => functionArn === undefined || fn.arn === functionArn);
    await Promise.all(doomed.map((environment) => this.discard(environment)));
  }

  /** Kills all processes; none starts any more. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.patience);
    await this.end();
  }

  /** Waits for one of the busy slots; returns a warm process if there is one. */
  private takeSlot(fn: LambdaFunction): Promise<EnvironmentProcess | undefined> {
    const warm = this.takeIdle(fn);
    if (!warm && this.busy >= MAX_BUSY) return this.wait(fn);
    this.busy += 1;
    return Promise.resolve(warm);
  }

  private async begin(fn: LambdaFunction): Promise<EnvironmentProcess> {
    this.makeRoom();
    const environment = await this.start(fn);
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
    const found = this.idle.findLast(({ environment }) => environment.fn === fn && environment.isAlive);
    if (!found) return undefined;
    this.forgetIdle(found.environment);
    return found.environment;
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

  /** Frees a slot: the first waiter with a warm process gets it, else the first in line. */
  private free(): void {
    this.busy -= 1;
    this.admit();
  }

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

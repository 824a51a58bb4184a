import { type Account } from '../account';
import { MAX_FULL_JUMP_MS, type RunClock } from '../run-clock';
import { type Alarms } from './account-alarms';
import { type MetricStore } from './metric-store';
import { QueueMetrics } from './vended-metrics';

const TICK_MS = 60 * 1000;
/** The interval while the clock is advanced. */
const JUMP_TICK_MS = 5 * TICK_MS;
/** Alarms are evaluated only at the end of a jump over {@link MAX_FULL_JUMP_MS}. Before it, metrics are missing. */
const JUMP_END_MS = 30 * 60 * 1000;

interface AlarmTicksOptions {
  account: Account;
  clock: RunClock;
  store: MetricStore;
  alarms: Alarms;
}

/** Measures the account's queues and evaluates its alarms, every minute of the run's clock. */
export class AlarmTicks {
  private readonly options: AlarmTicksOptions;
  private readonly queueMetrics = new QueueMetrics();
  private isStopped = false;

  constructor(options: AlarmTicksOptions) {
    this.options = options;
  }

  /** Adds the account's alarms and evaluates them at once. */
  start(): void {
    this.follow();
    this.settle();
    this.plan(this.options.clock.nowMs() + TICK_MS);
  }

  /** Takes over the account's alarms, after they have changed. */
  follow(): void {
    const { account, clock, alarms } = this.options;
    alarms.follow(account.alarms, clock.nowMs());
  }

  /** Evaluates all alarms now, even hourly ones, so that their states are current after the clock was advanced. */
  settle(): void {
    this.measureQueues();
    this.options.alarms.evaluateAll(this.options.clock.nowMs());
  }

  stop(): void {
    this.isStopped = true;
  }

  private plan(dueMs: number): void {
    this.options.clock.at(dueMs, () => {
      if (this.isStopped) return;
      this.plan(this.nextMs(dueMs));
      this.measureQueues();
      this.options.alarms.evaluate(this.options.clock.nowMs());
    });
  }

  private nextMs(previousMs: number): number {
    const { clock } = this.options;
    const jump = clock.currentJump();
    // Ticks that were missed while the laptop slept are skipped.
    if (!jump) return previousMs + TICK_MS > clock.nowMs() ? previousMs + TICK_MS : clock.nowMs() + TICK_MS;
    const isThinned = jump.toMs - jump.fromMs > MAX_FULL_JUMP_MS;
    const nextMs = Math.max(previousMs + JUMP_TICK_MS, isThinned ? jump.toMs - JUMP_END_MS : 0);
    // After the jump's end, ticks are every minute again.
    return Math.min(nextMs, Math.max(previousMs, jump.toMs) + TICK_MS);
  }

  private measureQueues(): void {
    const { account, clock, store } = this.options;
    for (const datum of this.queueMetrics.depths(account, clock.nowMs())) store.put(datum);
  }
}

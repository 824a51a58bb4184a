import { startRealTimer, type StartTimer } from '../run-clock';
import { type ConsoleChange, type ConsoleState } from './console-state';
import { changesSince, type StateTexts, textsOf } from './state-changes';

/** Changes within this interval are sent together. */
const READ_EVERY_MS = 200;
/** After a read, the host does something else for this many times as long: with many tenants, a read takes long. */
const PAUSE_PER_READ = 4;
/** An event is sent at least this often, so that the page knows the system is running. */
const SEND_EVERY_MS = 10_000;

/** Receives the whole state first, then what changes. */
type Watcher = (update: ConsoleState | ConsoleChange) => void;

interface LiveStateOptions {
  readState: () => Promise<ConsoleState>;
  /** Called once for each distinct error of consecutive reads. */
  onError: (error: Error) => void;
  /** @default real time */
  startTimer?: StartTimer;
  /** Milliseconds of a clock that never goes back. @default real time */
  monotonicMs?: () => number;
}

/** Polls the state of the system while a page is watching, and sends it the changes. */
export class LiveState {
  private readonly options: LiveStateOptions;
  /** Each with whether it has the state that `sent` describes. */
  private readonly watchers = new Map<Watcher, boolean>();
  private stopTimer: (() => void) | undefined;
  private isReading = false;
  private sent: StateTexts | undefined;
  private sentAtMs = 0;
  private lastError = '';

  constructor(options: LiveStateOptions) {
    this.options = options;
  }

  get watcherCount(): number {
    return this.watchers.size;
  }

  /** Sends `watcher` the state now, after each change, and at intervals. Returns a function that stops it. */
  watch(watcher: Watcher): () => void {
    this.watchers.set(watcher, false);
    this.readSoon(0);
    return () => {
      this.watchers.delete(watcher);
      if (this.watchers.size === 0) this.stopTimer?.();
    };
  }

  close(): void {
    this.watchers.clear();
    this.stopTimer?.();
  }

  private readSoon(delayMs: number): void {
    if (this.isReading) return;
    this.stopTimer?.();
    const { startTimer = startRealTimer } = this.options;
    this.stopTimer = startTimer(() => void this.readNow(), delayMs);
  }

  private async readNow(): Promise<void> {
    this.isReading = true;
    const startedMs = this.nowMs();
    try {
      this.send(await this.options.readState());
      this.lastError = '';
    } catch (error) {
      this.failed(error as Error);
    } finally {
      this.isReading = false;
    }
    const tookMs = this.nowMs() - startedMs;
    if (this.watchers.size > 0) this.readSoon(Math.max(READ_EVERY_MS, tookMs * PAUSE_PER_READ));
  }

  private failed(error: Error): void {
    if (error.message !== this.lastError) this.options.onError(error);
    this.lastError = error.message;
  }

  private send(state: ConsoleState): void {
    const texts = textsOf(state);
    const change = this.sent && changesSince(this.sent, state, texts);
    const nowMs = this.nowMs();
    const isDue = change !== undefined || nowMs - this.sentAtMs >= SEND_EVERY_MS;
    if (isDue) this.sentAtMs = nowMs;
    this.sent = texts;
    for (const [watcher, isCurrent] of [...this.watchers]) {
      this.watchers.set(watcher, true);
      if (!isCurrent) watcher(state);
      else if (isDue) watcher(change ?? { nowMs: state.nowMs });
    }
  }

  private nowMs(): number {
    const { monotonicMs = () => performance.now() } = this.options;
    return monotonicMs();
  }
}

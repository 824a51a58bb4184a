import { type StartTimer } from '../functions/environment-process';
import { type ConsoleState } from './console-state';

/** What is due within this time is told together. */
const LOOK_EVERY_MS = 200;
/** Even when nothing changes: so the page sees that the system is there. */
const TELL_EVERY_LOOKS = 50;

export type Watcher = (state: ConsoleState) => void;

const REAL_TIMER: StartTimer = (run, delayMs) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

export interface LiveStateOptions {
  look: () => Promise<ConsoleState>;
  /** Told once of each way in which looking fails in a row. */
  onError: (error: Error) => void;
  /** @default real time */
  startTimer?: StartTimer;
}

/** Looks at the system again and again while somebody watches, and tells what has changed. Costs nothing otherwise. */
export class LiveState {
  private readonly options: LiveStateOptions;
  private readonly watchers = new Set<Watcher>();
  private stopTimer: (() => void) | undefined;
  private isLooking = false;
  private toldText = '';
  private looksSinceTold = 0;
  private lastError = '';

  constructor(options: LiveStateOptions) {
    this.options = options;
  }

  get watcherCount(): number {
    return this.watchers.size;
  }

  /** Tells `watcher` the state at once, when it changes, and from time to time. Answers the function that ends it. */
  watch(watcher: Watcher): () => void {
    this.watchers.add(watcher);
    // Everybody is told: simpler than to remember who knows what.
    this.toldText = '';
    this.lookSoon(0);
    return () => {
      this.watchers.delete(watcher);
      if (this.watchers.size === 0) this.stopTimer?.();
    };
  }

  close(): void {
    this.watchers.clear();
    this.stopTimer?.();
  }

  private lookSoon(delayMs: number): void {
    if (this.isLooking) return;
    this.stopTimer?.();
    const { startTimer = REAL_TIMER } = this.options;
    this.stopTimer = startTimer(() => void this.lookNow(), delayMs);
  }

  private async lookNow(): Promise<void> {
    this.isLooking = true;
    try {
      this.tell(await this.options.look());
      this.lastError = '';
    } catch (error) {
      this.failed(error as Error);
    } finally {
      this.isLooking = false;
    }
    if (this.watchers.size > 0) this.lookSoon(LOOK_EVERY_MS);
  }

  private failed(error: Error): void {
    if (error.message !== this.lastError) this.options.onError(error);
    this.lastError = error.message;
  }

  private tell(state: ConsoleState): void {
    // Time alone is no news: the page has a clock of its own.
    const text = JSON.stringify({ ...state, nowMs: 0 });
    this.looksSinceTold += 1;
    if (text === this.toldText && this.looksSinceTold < TELL_EVERY_LOOKS) return;
    this.toldText = text;
    this.looksSinceTold = 0;
    for (const watcher of [...this.watchers]) watcher(state);
  }
}

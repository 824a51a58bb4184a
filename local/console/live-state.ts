import { startRealTimer, type StartTimer } from '../run-clock';
import { type ConsoleState } from './console-state';

/** Changes within this interval are sent together. */
const READ_EVERY_MS = 200;
/** The state is sent after this many reads even if unchanged, so that the page knows the system is running. */
const SEND_EVERY_READS = 50;

type Watcher = (state: ConsoleState) => void;

interface LiveStateOptions {
  readState: () => Promise<ConsoleState>;
  /** Called once for each distinct error of consecutive reads. */
  onError: (error: Error) => void;
  /** @default real time */
  startTimer?: StartTimer;
}

/** Polls the state of the system while a page is watching, and sends it the changes. */
export class LiveState {
  private readonly options: LiveStateOptions;
  private readonly watchers = new Set<Watcher>();
  private stopTimer: (() => void) | undefined;
  private isReading = false;
  private sentText = '';
  private readsSinceSent = 0;
  private lastError = '';

  constructor(options: LiveStateOptions) {
    this.options = options;
  }

  get watcherCount(): number {
    return this.watchers.size;
  }

  /** Sends `watcher` the state now, after each change, and at intervals. Returns a function that stops it. */
  watch(watcher: Watcher): () => void {
    this.watchers.add(watcher);
    // Makes the next read send the state to all watchers, not only to the new one.
    this.sentText = '';
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
    try {
      this.send(await this.options.readState());
      this.lastError = '';
    } catch (error) {
      this.failed(error as Error);
    } finally {
      this.isReading = false;
    }
    if (this.watchers.size > 0) this.readSoon(READ_EVERY_MS);
  }

  private failed(error: Error): void {
    if (error.message !== this.lastError) this.options.onError(error);
    this.lastError = error.message;
  }

  private send(state: ConsoleState): void {
    // A new time alone is not a change: the page has its own clock.
    const text = JSON.stringify({ ...state, nowMs: 0 });
    this.readsSinceSent += 1;
    if (text === this.sentText && this.readsSinceSent < SEND_EVERY_READS) return;
    this.sentText = text;
    this.readsSinceSent = 0;
    for (const watcher of [...this.watchers]) watcher(state);
  }
}

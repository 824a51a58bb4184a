import { type Clock } from './clock';

/** Callers share a wait if they begin within this part of their timeout. */
const SAME_MOMENT = 0.01;

interface Wait<T> {
  begunMs: number;
  timeoutMs: number;
  outcome: Promise<T>;
}

/** One wait, with one timer, for all callers who ask for the same at the same moment with the same timeout. */
export class SharedWaits<T> {
  readonly #waits = new Map<string, Wait<T>>();

  /**
   * @param name what is waited for
   * @param nowMs by a clock that never goes back
   * @param begin begins a wait; not called where there is one to share
   */
  share(name: string, timeoutMs: number, nowMs: number, begin: () => Promise<T>): Promise<T> {
    const other = this.#waits.get(name);
    const isShared = other?.timeoutMs === timeoutMs && nowMs - other.begunMs <= timeoutMs * SAME_MOMENT;
    if (isShared) return other.outcome;
    const outcome = begin().finally(() => {
      if (this.#waits.get(name) === wait) this.#waits.delete(name);
    });
    const wait = { begunMs: nowMs, timeoutMs, outcome };
    this.#waits.set(name, wait);
    return outcome;
  }

  /** Lets nobody join a wait any more: its outcome may be outdated. */
  forget(name: string): void {
    this.#waits.delete(name);
  }
}

/** The outcome of work, unless time is over first; the work itself goes on. @throws what `timeout` makes */
export async function withinTime<T>(
  work: Promise<T>,
  timeoutMs: number,
  clock: Clock,
  timeout: () => Error,
): Promise<T> {
  const sleep = clock.sleep(timeoutMs);
  const isOver = sleep.then(() => {
    throw timeout();
  });
  try {
    return await Promise.race([work, isOver]);
  } finally {
    sleep.cancel?.();
  }
}

/** The outcome of work, unless the signal aborts first; the work itself may go on. @throws the signal's reason */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (signal === null || signal === undefined) return work;
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    done.abort();
  }
}

import { type Clock } from './clock';

/** Callers share a wait if they start within this fraction of their timeout. */
const SAME_MOMENT = 0.01;

interface Wait<T> {
  begunMs: number;
  timeoutMs: number;
  outcome: Promise<T>;
}

/** One wait with one timer for all callers who ask for the same thing at the same moment, with the same timeout. */
export class SharedWaits<T> {
  readonly #waits = new Map<string, Wait<T>>();

  /**
   * Returns the outcome of a shared wait, or starts a new one.
   * @param name identifies what callers wait for
   * @param nowMs by a monotonic clock
   * @param begin starts a wait; not called if there is one to share
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

  /** Stops sharing a wait, because its outcome may be outdated. */
  forget(name: string): void {
    this.#waits.delete(name);
  }
}

/** The outcome of work that finishes in time; otherwise throws `timeout()`, and the work continues. */
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

/** The outcome of work that finishes before the signal aborts; otherwise throws the signal's reason. The work may continue. */
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

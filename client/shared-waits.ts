/** Callers share a wait if they came so close to each other, measured by how long they would wait. */
const SAME_MOMENT = 0.01;

interface Wait<T> {
  begunMs: number;
  timeoutMs: number;
  outcome: Promise<T>;
}

/** One wait, with one timer, for all callers of the same moment who want the same and are equally patient. */
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

  /** Has nobody share a wait whose outcome may be known already, and be no good any more. */
  forget(name: string): void {
    this.#waits.delete(name);
  }
}

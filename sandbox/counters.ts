import { type Target } from './faults';

/** One kind of request that was counted. `status` is 0 where the connection was broken instead of an answer. */
export interface CountedRequest {
  readonly target: Target;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Counts requests to the platform by target, method, path and status. */
export class RequestCounters {
  readonly #rows = new Map<string, CountedRequest & { count: number }>();

  count({ target, method, path, status }: CountedRequest): void {
    const key = `${target} ${method} ${status} ${path}`;
    const row = this.#rows.get(key);
    if (row) row.count += 1;
    else this.#rows.set(key, { target, method, path, status, count: 1 });
  }

  /** All counts, in the order in which each kind of request first came. */
  rows(): readonly (CountedRequest & { count: number })[] {
    return [...this.#rows.values()];
  }

  reset(): void {
    this.#rows.clear();
  }
}

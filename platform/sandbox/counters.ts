import { type FaultPoint } from './fault';

/** One kind of request. `status` is 0 if the connection was broken instead of an answer. */
export interface CountedRequest {
  readonly target: FaultPoint;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

const MAX_ROWS = 10_000;
/** Longer than the path of any operation. */
const MAX_PATH_CHARS = 1024;
/** Replaces further paths once there are {@link MAX_ROWS}. */
const OTHER_PATHS = '(other)';

/** Counts requests to the platform by fault point, method, path and status. */
export class RequestCounters {
  readonly #rows = new Map<string, CountedRequest & { count: number }>();

  count(request: CountedRequest): void {
    const isKnown = this.#rows.has(keyOf(request));
    const hasRoom = this.#rows.size < MAX_ROWS && request.path.length <= MAX_PATH_CHARS;
    const { target, method, path, status } = isKnown || hasRoom ? request : { ...request, path: OTHER_PATHS };
    const key = keyOf({ target, method, path, status });
    const row = this.#rows.get(key);
    if (row) row.count += 1;
    else this.#rows.set(key, { target, method, path, status, count: 1 });
  }

  /** All counts, ordered by the first request of each kind. */
  rows(): readonly (CountedRequest & { count: number })[] {
    return [...this.#rows.values()];
  }

  reset(): void {
    this.#rows.clear();
  }
}

function keyOf({ target, method, path, status }: CountedRequest): string {
  return `${target} ${method} ${status} ${path}`;
}

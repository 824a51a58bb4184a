import { z } from 'zod';
import { faultSchema } from './fault';

/** One kind of request. */
export const countedSchema = z.strictObject({
  target: faultSchema.shape.target,
  method: z.string(),
  path: z.string(),
  status: z.int().describe('0 if the connection was broken instead of an answer.'),
});
export type CountedRequest = Readonly<z.output<typeof countedSchema>>;

/** Assumed, to bound memory. */
const MAX_ROWS = 10_000;
/** Stands for all new paths once the maximum of rows is reached. */
const OTHER_PATHS = '(other)';

/** Longer than the path of any operation. */
export const MAX_PATH_CHARS = 256;

/** Counts requests to the platform by fault point, method, path and status. */
export class RequestCounters {
  readonly #maxRows: number;
  readonly #rows = new Map<string, CountedRequest & { count: number }>();

  /** @param maxRows how many kinds of requests are counted by their path */
  constructor(maxRows = MAX_ROWS) {
    this.#maxRows = maxRows;
  }

  count(request: CountedRequest): void {
    const isKnown = this.#rows.has(keyOf(request));
    const hasRoom = this.#rows.size < this.#maxRows && request.path.length <= MAX_PATH_CHARS;
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

  snapshot() {
    return { rows: this.rows() };
  }

  restore({ rows }: ReturnType<RequestCounters['snapshot']>): void {
    this.#rows.clear();
    for (const row of rows) this.#rows.set(keyOf(row), row);
  }
}

function keyOf({ target, method, path, status }: CountedRequest): string {
  return `${target} ${method} ${status} ${path}`;
}

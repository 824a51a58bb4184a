import { type CountedRequest } from './counters';

const CAPACITY = 200;

/** One request that was answered or whose connection was broken, without headers, query and body. */
export interface RecentRequest extends CountedRequest {
  /** Sandbox clock time, ISO 8601. */
  readonly at: string;
}

/** The last {@link CAPACITY} requests to the platform. */
export class RecentRequests {
  #entries: RecentRequest[] = [];

  add({ at, target, method, path, status }: RecentRequest): void {
    this.#entries.push({ at, target, method, path, status });
    if (this.#entries.length > CAPACITY) this.#entries.shift();
  }

  /** Oldest first. */
  all(): readonly RecentRequest[] {
    return this.#entries;
  }

  reset(): void {
    this.#entries = [];
  }
}

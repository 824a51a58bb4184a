import { type CountedRequest } from './counters';

/** So many are remembered. */
const CAPACITY = 200;

/** One request that was answered, or whose connection was broken. Never its headers, query or body. */
export interface RecentRequest extends CountedRequest {
  /** By the sandbox's clock; ISO 8601. */
  readonly at: string;
}

/** The requests to the platform that came last. */
export class RecentRequests {
  #entries: RecentRequest[] = [];

  add({ at, target, method, path, status }: RecentRequest): void {
    this.#entries.push({ at, target, method, path, status });
    if (this.#entries.length > CAPACITY) this.#entries.shift();
  }

  /** The oldest first. */
  all(): readonly RecentRequest[] {
    return this.#entries;
  }

  reset(): void {
    this.#entries = [];
  }
}

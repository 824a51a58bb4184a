import { type CountedRequest } from './counters';
import { type FaultEffect } from './fault';

const CAPACITY = 200;

/** One request that was answered or whose connection was broken, without headers, query and body. */
export interface RecentRequest extends CountedRequest {
  /** Sandbox clock time, ISO 8601. */
  readonly at: string;
  /** Real time until the answer was ready or the connection broken, without sending the body. */
  readonly durationMs: number;
  /** The tenant that the request names, which may not exist; absent if none. */
  readonly tenantId?: string;
  /** The fault that was injected; absent if none. */
  readonly fault?: FaultEffect;
}

/** The last {@link CAPACITY} requests to the platform. */
export class RecentRequests {
  #entries: RecentRequest[] = [];

  add(request: RecentRequest): void {
    this.#entries.push(request);
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

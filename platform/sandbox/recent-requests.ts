import { type CountedRequest, MAX_PATH_CHARS } from './counters';
import { type FaultEffect } from './fault';

const CAPACITY = 200;
/** The longest identifier that a tenant can have. */
const MAX_TENANT_ID_CHARS = 128;

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

  /** Cuts off what is longer than the path of any operation, or any tenant's identifier. */
  add({ path, tenantId, ...request }: RecentRequest): void {
    this.#entries.push({
      ...request,
      path: path.slice(0, MAX_PATH_CHARS),
      ...(tenantId !== undefined && { tenantId: tenantId.slice(0, MAX_TENANT_ID_CHARS) }),
    });
    if (this.#entries.length > CAPACITY) this.#entries.shift();
  }

  /** Oldest first. */
  all(): readonly RecentRequest[] {
    return this.#entries;
  }

  reset(): void {
    this.#entries = [];
  }

  snapshot() {
    return { requests: this.#entries };
  }

  restore({ requests }: ReturnType<RecentRequests['snapshot']>): void {
    this.#entries = requests;
  }
}

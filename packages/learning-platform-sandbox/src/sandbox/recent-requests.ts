import { z } from 'zod';
import { countedSchema, MAX_PATH_CHARS } from './counters';
import { faultEffectSchema } from './fault';
import { timeSchema } from './openapi/parts';

const CAPACITY = 200;
/** The longest identifier that a tenant can have. */
const MAX_TENANT_ID_CHARS = 128;

/** One request that was answered or whose connection was broken, without headers, query and body. */
export const recentSchema = countedSchema.extend({
  at: timeSchema,
  durationMs: z.int().min(0).describe('Real time until the answer was ready or the connection broken.'),
  tenantId: z.string().optional().describe('The tenant that the request names. It may not exist.'),
  fault: faultEffectSchema.optional().describe('The effect of the fault that was injected.'),
});
export type RecentRequest = Readonly<z.output<typeof recentSchema>>;

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

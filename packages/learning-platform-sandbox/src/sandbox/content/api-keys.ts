import { BoundedMap } from '../bounded';
import { digest, newSecret } from '../secrets';
import { Setting } from '../setting';
import { type Tenant } from '../tenants';

/** The specification shows only that keys expire; one year is assumed. */
const VALIDITY_MS = 365 * 24 * 60 * 60 * 1000;

/** Assumed, to bound memory. */
const MAX_KEYS = 10_000;

interface ApiKey {
  /** A tenant identifier belongs to one deployment only. */
  readonly tenantId: string;
  readonly worksFromMs: number;
  readonly validUntilMs: number;
}

/** The API keys of all tenants. A tenant can have several valid keys. */
export class ApiKeys {
  readonly #byDigest: BoundedMap<string, ApiKey>;
  readonly #lagSec: Setting<number>;

  /**
   * @param lagSec how long after its generation a new key starts to work
   * @param maxKeys beyond this, the oldest key is dropped
   */
  constructor(lagSec = new Setting(0), maxKeys = MAX_KEYS) {
    this.#byDigest = new BoundedMap(maxKeys);
    this.#lagSec = lagSec;
  }

  /** Generates a key; `validUntil` is ISO 8601. @see platform specification, "Generated API key" */
  generate({ tenantId }: Pick<Tenant, 'tenantId'>, nowMs: number): { apiKey: string; validUntil: string } {
    const apiKey = newSecret();
    const validUntilMs = nowMs + VALIDITY_MS;
    this.#byDigest.set(digest(apiKey), {
      tenantId,
      worksFromMs: nowMs + this.#lagSec.value * 1000,
      validUntilMs,
    });
    return { apiKey, validUntil: new Date(validUntilMs).toISOString() };
  }

  /** Whether the key belongs to the tenant, already works and has not expired. */
  isValid(apiKey: string, { tenantId }: Pick<Tenant, 'tenantId'>, nowMs: number): boolean {
    const key = this.#byDigest.get(digest(apiKey));
    return key?.tenantId === tenantId && key.worksFromMs <= nowMs && nowMs < key.validUntilMs;
  }

  /** Revokes a key. Returns whether it existed. */
  revoke(apiKey: string): boolean {
    return this.#byDigest.delete(digest(apiKey));
  }

  snapshot() {
    return [...this.#byDigest];
  }

  restore(keys: ReturnType<ApiKeys['snapshot']>): void {
    this.#byDigest.replaceAll(keys);
  }
}

import { BoundedMap } from '../bounded-map';
import { digest, newSecret } from '../secrets';
import { type Tenant } from '../tenants';

/** How long a generated key is valid. The specification shows only that there is an end. */
const VALIDITY_MS = 365 * 24 * 60 * 60 * 1000;

/** So many keys can be valid at once; then the oldest is forgotten. Assumed, so that memory stays bounded. */
const MAX_KEYS = 10_000;

interface ApiKey {
  readonly tenant: Tenant;
  readonly worksFromMs: number;
  readonly validUntilMs: number;
}

/** The API keys of all tenants. A newer key does not end an older one. */
export class ApiKeys {
  readonly #byDigest = new BoundedMap<string, ApiKey>(MAX_KEYS);
  readonly #seededLagSec: number;
  #lagSec: number;

  /** @param lagSec as {@link setLag} sets it, until then and after each reset */
  constructor(lagSec = 0) {
    this.#seededLagSec = lagSec;
    this.#lagSec = lagSec;
  }

  /** Lets keys that are generated from now on work only so long after they were generated; 0 for at once. */
  setLag(sec: number): void {
    this.#lagSec = sec;
  }

  /** Puts the lag back as it was seeded. */
  resetLag(): void {
    this.#lagSec = this.#seededLagSec;
  }

  /** Generates a key; `validUntil` is ISO 8601. @see platform specification, "Generated API key" */
  generate(tenant: Tenant, nowMs: number): { apiKey: string; validUntil: string } {
    const apiKey = newSecret();
    const validUntilMs = nowMs + VALIDITY_MS;
    this.#byDigest.set(digest(apiKey), { tenant, worksFromMs: nowMs + this.#lagSec * 1000, validUntilMs });
    return { apiKey, validUntil: new Date(validUntilMs).toISOString() };
  }

  /** Whether the key is one of that tenant, works already and is still valid. */
  isValid(apiKey: string, tenant: Tenant, nowMs: number): boolean {
    const key = this.#byDigest.get(digest(apiKey));
    return key?.tenant === tenant && key.worksFromMs <= nowMs && nowMs < key.validUntilMs;
  }

  /** Ends a key. Returns whether there was one. */
  revoke(apiKey: string): boolean {
    return this.#byDigest.delete(digest(apiKey));
  }
}

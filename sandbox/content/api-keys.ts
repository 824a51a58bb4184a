import { digest, newSecret } from '../secrets';
import { type Tenant } from '../tenants';

/** How long a generated key is valid. The specification shows only that there is an end. */
const VALIDITY_MS = 365 * 24 * 60 * 60 * 1000;

/** The API keys of all tenants. A newer key does not end an older one. */
export class ApiKeys {
  readonly #byDigest = new Map<string, { readonly tenant: Tenant; readonly validUntilMs: number }>();

  /** Generates a key; `validUntil` is ISO 8601. @see platform specification, "Generated API key" */
  generate(tenant: Tenant, nowMs: number): { apiKey: string; validUntil: string } {
    const apiKey = newSecret();
    const validUntilMs = nowMs + VALIDITY_MS;
    this.#byDigest.set(digest(apiKey), { tenant, validUntilMs });
    return { apiKey, validUntil: new Date(validUntilMs).toISOString() };
  }

  /** Whether the key is one of that tenant and still valid. */
  isValid(apiKey: string, tenant: Tenant, nowMs: number): boolean {
    const key = this.#byDigest.get(digest(apiKey));
    return key?.tenant === tenant && nowMs < key.validUntilMs;
  }
}

import { CoolDowns } from './cool-downs';
import { type Moment } from './moment';
import { type TokenError } from './token-errors';

/** Number of tenants that must fail at an endpoint in a row before it counts as down. */
const TENANTS_TO_OPEN = 3;
const OPEN_MS = 30_000;

/**
 * Stops requests to a token endpoint after it has failed for several tenants without a success in between. A single tenant
 * never opens the breaker for the others.
 */
export class CircuitBreaker {
  private readonly failedTenants = new Map<string, Set<string>>();
  private readonly open = new CoolDowns();

  /** The failure that opened the breaker of an endpoint; undefined if it is closed. */
  find(endpoint: string, now: Moment): { error: TokenError; leftMs: number } | undefined {
    return this.open.find(endpoint, now);
  }

  succeeded(endpoint: string): void {
    this.failedTenants.delete(endpoint);
    this.open.forget(endpoint);
  }

  failed(endpoint: string, tenantId: string, error: TokenError, now: Moment): void {
    const tenants = this.failedTenants.get(endpoint) ?? new Set();
    this.failedTenants.set(endpoint, tenants.add(tenantId));
    if (tenants.size < TENANTS_TO_OPEN) return;
    this.failedTenants.delete(endpoint);
    this.open.remember(endpoint, error, now, OPEN_MS);
  }
}

import { CoolDowns } from './cool-downs';
import { type Moment } from './moment';
import { type TokenError } from './token-errors';

/** How many tenants in a row must fail at an endpoint before it counts as down. */
const TENANTS_TO_OPEN = 3;
const OPEN_MS = 30_000;

/**
 * Leaves a token endpoint alone once it failed for several tenants without a success between them.
 * One tenant alone never opens it: the others must not suffer for it.
 */
export class CircuitBreaker {
  private readonly failedTenants = new Map<string, Set<string>>();
  private readonly open = new CoolDowns();

  /** The failure that opened the breaker of an endpoint, while it is open. */
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

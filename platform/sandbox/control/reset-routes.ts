import { Hono } from 'hono';
import { type ApiKeys } from '../content/api-keys';
import { type AuditTrail } from '../content/audit-trail';
import { type Processing } from '../content/processing';
import { type RestoreSettings } from '../content/provisional-settings';
import { type RequestCounters } from '../counters';
import { type Faults } from '../faults';
import { type RecentRequests } from '../recent-requests';
import { type Tenants } from '../tenants';

/** State that a reset restores. */
export interface ResetState {
  readonly apiKeys: ApiKeys;
  readonly audit: AuditTrail;
  readonly counters: RequestCounters;
  readonly faults: Faults;
  readonly processing: Processing;
  readonly recentRequests: RecentRequests;
  readonly restore: RestoreSettings;
  readonly tenants: Tenants;
}

/**
 * `POST /reset` → 204: restores contents and settings to the seed, and clears faults, counters, recent requests and the audit
 * trail. Keeps tenants, credentials, API keys, sessions, tokens and the time, so that a running client is not disturbed.
 */
export function resetRoutes(state: ResetState): Hono {
  const app = new Hono();
  app.post('/reset', (c) => {
    reset(state);
    return c.body(null, 204);
  });
  return app;
}

/** What `POST /reset` does. */
export function reset(state: ResetState): void {
  state.faults.clear();
  state.apiKeys.resetLag();
  state.processing.reset();
  state.restore.reset();
  state.counters.reset();
  state.recentRequests.reset();
  state.audit.reset();
  state.tenants.resetContents();
}

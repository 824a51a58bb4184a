import { OpenAPIHono } from '@hono/zod-openapi';
import { type ApiKeys } from '../content/api-keys';
import { type AuditTrail } from '../content/audit-trail';
import { type Processing } from '../content/processing';
import { type RestoreSettings } from '../content/provisional-settings';
import { type RequestCounters } from '../counters';
import { type Faults } from '../faults';
import { type RecentRequests } from '../recent-requests';
import { response, TOO_LARGE } from '../openapi/parts';
import { type Tenants } from '../tenants';
import { operationsOf } from './control-operation';

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

/** The reset, which keeps what a running client needs. */
export function resetRoutes(state: ResetState): OpenAPIHono {
  const app = new OpenAPIHono();
  const serve = operationsOf(app, 'time');
  serve('POST /reset', {
    operationId: 'reset',
    summary: 'Reset the sandbox',
    description:
      'Restores contents and settings to the seed, and clears faults, counters, recent requests and the audit trail. ' +
      'Keeps tenants, credentials, API keys, sessions, tokens and the time.',
    responses: { 204: response('The sandbox is reset.'), 413: TOO_LARGE },
    respond: (c) => {
      reset(state);
      return c.body(null, 204);
    },
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

import { type OpenAPIHono } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { response, TOO_LARGE } from '../openapi/parts';
import { operationsOf } from './control-operation';

/** The reset, which keeps what a running client needs. */
export function addResetRoutes(app: OpenAPIHono, state: SandboxState): void {
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
}

/** What `POST /reset` does. */
export function reset(state: SandboxState): void {
  state.faults.clear();
  state.itemFailures.reset();
  state.keyLagSec.reset();
  state.timing.reset();
  state.restore.reset();
  state.counters.reset();
  state.recentRequests.reset();
  state.audit.reset();
  state.tenants.resetContents();
}

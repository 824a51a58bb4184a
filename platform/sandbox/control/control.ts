import { Hono } from 'hono';
import { RefusedRequestError } from '../errors';
import { InvalidInputError } from '../validation';
import { clockRoutes, type ClockState } from './clock-routes';
import { contentRoutes, type ContentState } from './contents-routes';
import { credentialRoutes, type CredentialState } from './credentials-routes';
import { faultRoutes, type FaultState } from './faults-routes';
import { refuseForeignPages } from './foreign-pages';
import { observationRoutes, type ObservationState } from './observation-routes';
import { resetRoutes, type ResetState } from './reset-routes';
import { settingRoutes, type SettingState } from './settings-routes';
import { tenantRoutes, type TenantState } from './tenants-routes';

/** State used by all control routes. */
type ControlState = ClockState &
  ContentState &
  CredentialState &
  FaultState &
  ObservationState &
  ResetState &
  SettingState &
  TenantState;

/**
 * The control interface of the sandbox. It needs no authentication, because the sandbox listens on the loopback interface only,
 * and pages of other sites are refused with 403.
 *
 * Bodies are JSON. Invalid input gets 400, whose message lists each field with the value found and what is allowed; unknown
 * resources get 404. Both use the platform's error body. Faults and counters do not cover control requests.
 */
export function control(state: ControlState): Hono {
  const app = new Hono();
  const subjects = [
    clockRoutes(state),
    contentRoutes(state),
    credentialRoutes(state),
    faultRoutes(state),
    observationRoutes(state),
    resetRoutes(state),
    settingRoutes(state),
    tenantRoutes(state),
  ];
  app.use(refuseForeignPages);
  for (const routes of subjects) app.route('/', routes);

  app.onError((error) => {
    throw error instanceof InvalidInputError ? new RefusedRequestError(400, error.message) : error;
  });
  return app;
}

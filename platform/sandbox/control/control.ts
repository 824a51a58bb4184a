import { Hono } from 'hono';
import { RefusedRequestError } from '../errors';
import { InvalidInputError } from '../validation';
import { clockRoutes, type ClockState } from './clock-routes';
import { contentRoutes, type ContentState } from './contents-routes';
import { credentialRoutes, type CredentialState } from './credentials-routes';
import { faultRoutes, type FaultState } from './faults-routes';
import { observationRoutes, type ObservationState } from './observation-routes';
import { resetRoutes, type ResetState } from './reset-routes';
import { settingRoutes, type SettingState } from './settings-routes';
import { tenantRoutes, type TenantState } from './tenants-routes';

/** All that control looks at or changes. */
type ControlState = ClockState &
  ContentState &
  CredentialState &
  FaultState &
  ObservationState &
  ResetState &
  SettingState &
  TenantState;

/**
 * The sandbox's own interface: it plays support (tenants, credentials), the administrator (sessions, API keys), the
 * platform's own progress (processing of items, operations that are coming soon), bad luck (faults, lag) and time. It asks
 * for no authentication, as the sandbox listens on the loopback interface only.
 *
 * Bodies are JSON. Invalid input gets 400, which names each field with the value found and what is allowed; what is not
 * there gets 404. Both are answered in the platform's error body. Control meets no faults, and isn't counted.
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
  for (const routes of subjects) app.route('/', routes);

  app.onError((error) => {
    throw error instanceof InvalidInputError ? new RefusedRequestError(400, error.message) : error;
  });
  return app;
}

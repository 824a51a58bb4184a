import { Hono } from 'hono';
import { type DeploymentKey, deploymentName } from '../deployment-key';
import { type SandboxClock } from '../sandbox-clock';
import { RefusedRequestError } from '../errors';
import { type AccessTokens } from '../tokens/issued-tokens';

const CHALLENGE = 'Bearer realm="webhooks"';

/** What the webhooks interfaces of all deployments look tokens up in. */
interface WebhooksInterfaceState {
  readonly clock: SandboxClock;
  readonly tokens: AccessTokens;
}

/**
 * The webhooks interface of one deployment: its base, protected by the tokens of its token endpoint, all of which have a scope
 * that suits. Its operations are not shown in the specification, so there are none; that `GET` of the base itself is
 * answered with 204 is assumed, so that a client can tell whether it is let in.
 * @see platform specification, "Events" and "OAuth 2.0 client credentials (preferred)"; RFC 6750, section 3
 */
export function webhooksInterface(
  deploymentKey: DeploymentKey,
  { clock, tokens }: WebhooksInterfaceState,
): Hono {
  const app = new Hono();
  app.use('*', async (c, next) => {
    const [, token] = /^bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    const grant = token === undefined ? undefined : tokens.find(token, clock.nowMs());
    if (grant?.interface !== 'webhooks' || deploymentName(grant) !== deploymentName(deploymentKey)) {
      throw new RefusedRequestError(401, 'authentication is missing or invalid', {
        'WWW-Authenticate': token === undefined ? CHALLENGE : `${CHALLENGE}, error="invalid_token"`,
      });
    }
    await next();
  });
  app.get('/', (c) => c.body(null, 204));
  return app;
}
